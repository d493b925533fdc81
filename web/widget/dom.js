/** Creates elements from names and texts. Nothing from the network is parsed as markup. */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | boolean | ((event: Event) => void)>} given attributes; a function listens to the
 * event of its name
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, given = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given))
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value !== false) element.setAttribute(key, value === true ? '' : value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

const shapes = {
  ask: 'M4 5.5h16v11H11l-4 3.5v-3.5H4zM8.5 9.5h7M8.5 12.5h4.5',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M8 8h8v8H8z',
  close: 'M6 6l12 12M18 6L6 18',
  restart: 'M5 12a7 7 0 1 0 2.3-5.2M5 4.5V8.5H9',
  thumb:
    'M7.5 20V10.5L11.5 3.5c1.6 0 2.4 1.1 2.1 2.6L13 9.5h5.4c1.2 0 2 1 1.8 2.2l-1.2 6.5c-.2 1.1-1 1.8-2.1 1.8zM7.5 10.5H4V20h3.5',
  share:
    'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z',
  open: 'M9 5H5v14h14v-4M13 5h6v6M19 5l-9 9',
};

/** A drawing hidden from screen readers. @param {keyof typeof shapes} name */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const path = document.createElementNS(space, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', shapes[name]);
  svg.append(path);
  return svg;
}
