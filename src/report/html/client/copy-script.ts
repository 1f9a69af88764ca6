/** Copying, also where a browser lets no file write to the clipboard in the new way. */
export const copyScript = String.raw`
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h('textarea', { class: 'unseen', 'aria-hidden': 'true', tabindex: '-1' });
    const before = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    before?.focus?.();
    return isCopied;
  }
}

function copyButton(text, what) {
  const button = h('button', { type: 'button', class: 'copy', 'aria-label': 'Copy ' + what }, 'Copy');
  button.addEventListener('click', async () => {
    const isCopied = await copyText(text);
    const told = isCopied ? 'Copied' : 'Select it by hand';
    put(button, { 'aria-label': told }, []).textContent = told;
    setTimeout(() => { put(button, { 'aria-label': 'Copy ' + what }, []).textContent = 'Copy'; }, 1500);
  });
  return button;
}

/* What is to be pasted into a shell. */
function command(text, what) {
  return h('div', { class: 'command' }, h('pre', { tabindex: '0' }, text), copyButton(text, what));
}
`;
