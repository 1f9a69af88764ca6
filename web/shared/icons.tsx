import type { VNode } from 'preact';

/** The shapes of the icons, in a box of 16 by 16. */
const shapes = {
  traffic: 'M2 5.5h11M10 2.5l3 3-3 3M14 10.5H3M6 7.5l-3 3 3 3',
  records:
    'M2.5 4c0-1.1 2.5-2 5.5-2s5.5.9 5.5 2-2.5 2-5.5 2-5.5-.9-5.5-2Zm0 0v8c0 1.1 2.5 2 5.5 2' +
    's5.5-.9 5.5-2V4M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2',
  scenarios:
    'M5 4.5h6a3.5 3.5 0 0 1 0 7H5a3.5 3.5 0 0 1 0-7Z' +
    'm6 1.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4Z',
  faults: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8l1-5.5Z',
  check: 'M8 1.5 13 3.5v4c0 3.2-2 5.7-5 7-3-1.3-5-3.8-5-7v-4l5-2Zm-2.4 6.2 1.7 1.7 3.1-3.3',
  try: 'M2.5 7.5 13.5 2.5 9.5 13.5 7.5 8.5l-5-1Zm5 1 2.7-2.7',
  sessions: 'M8 2l6 3-6 3-6-3 6-3ZM2 8l6 3 6-3M2 11l6 3 6-3',
  docs:
    'M2.5 3H7a1 1 0 0 1 1 1v9.5a1 1 0 0 0-1-1H2.5V3Z' +
    'm11 0H9a1 1 0 0 0-1 1v9.5a1 1 0 0 1 1-1h4.5V3Z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  light:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15' +
    'M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13',
  dark: 'M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7Z',
  system: 'M2 3h12v8H2V3Zm4 11h4M8 11v3',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 2.8V8l2.3 1.6',
  close: 'M4 4l8 8M12 4l-8 8',
  open: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7',
} as const;
export type IconName = keyof typeof shapes;

/** An icon, which only decorates: the text beside it, or the label of its button, has the meaning. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}
