/**
 * The words of messages that say that something failed and nothing of what: `Internal Server
 * Error`, `An unexpected error occurred, please try again later.`
 */
const general = new Set(
  (
    'a an again and api application been contact could complete error errors ' +
    'exception failed failure fault found getting happened has have internal later ' +
    'looks like not notified occurred of oops our please problem process processing ' +
    'request response server service something sorry support system team the this ' +
    'trouble try trying unable unavailable unexpected unhandled unknown us was we ' +
    'went wrong while with your'
  ).split(' '),
);

/** Whether a message tells a failure from no other one: no word of it says what failed. */
export function isGeneralFailure(message: string): boolean {
  const words = message.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.every((word) => general.has(word));
}
