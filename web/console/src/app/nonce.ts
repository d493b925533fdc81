/** The nonce for this page's styles, which the service puts into the page. */
const found = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// The library that stops the page from scrolling behind a drawer looks for it here.
Object.assign(globalThis, { __webpack_nonce__: found });

export const nonce = (): string => found;
