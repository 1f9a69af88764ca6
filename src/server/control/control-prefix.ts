/** The path prefix of the control API. */
export const controlPrefix = '/__vouch';
