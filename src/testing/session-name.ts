/** Names sessions so that tests which run side by side never share one: `a title, made short-3`. */
export function makeSessionNames(): (title: string) => string {
  let made = 0;
  return (title) =>
    `${
      title
        .replaceAll(/[^\w]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 40) || 'test'
    }-${String((made += 1))}`;
}
