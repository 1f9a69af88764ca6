declare module 'virtual:vouch' {
  const options: import('../../src/msw/msw.ts').MswMockOptions;
  export default options;
}
