/** The nonce of this page's styles, which the service puts into it. */
const found = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// The library that keeps a page from scrolling behind a drawer looks for it here.
Object.assign(globalThis, { __webpack_nonce__: found });

export const nonce = (): string => found;
