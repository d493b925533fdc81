/** Zooms and moves the picture of the graph by mouse, touch and keys. */

const closer = 0.8;
const stepShare = 0.12;
const closestShare = 0.2;

/** @param {HTMLElement} figure */
function movable(figure) {
  const [inName = '', outName = '', wholeName = ''] = (figure.dataset.zoom ?? '').split('\n');
  const views = [...figure.querySelectorAll('svg')].map((svg) => {
    const { x, y, width, height } = svg.viewBox.baseVal;
    const whole = { x, y, width, height };
    let now = { ...whole };
    const show = () => svg.setAttribute('viewBox', `${now.x} ${now.y} ${now.width} ${now.height}`);
    /**
     * Zooms around the point at these fractions of the picture. @param {number} by @param {number} atX @param
     * {number} atY
     */
    const zoom = (by, atX = 0.5, atY = 0.5) => {
      const wide = Math.min(whole.width, Math.max(whole.width * closestShare, now.width * by));
      const high = (wide / whole.width) * whole.height;
      move(0, 0, {
        x: now.x + (now.width - wide) * atX,
        y: now.y + (now.height - high) * atY,
        width: wide,
        height: high,
      });
    };
    /** Moves by fractions of the visible part, never past the edge. @param {number} right @param {number} down */
    const move = (right, down, from = now) => {
      const bound = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ all) =>
        Math.min(all - size, Math.max(0, at));
      now = {
        ...from,
        x: bound(from.x + right * from.width, from.width, whole.width),
        y: bound(from.y + down * from.height, from.height, whole.height),
      };
      show();
    };
    const reset = () => {
      now = { ...whole };
      show();
    };
    listen(svg, { zoom, move, isWhole: () => now.width >= whole.width });
    return { zoom, move, reset };
  });
  const all = (/** @type {(view: typeof views[number]) => void} */ act) => () => views.forEach(act);
  const bar = document.createElement('div');
  bar.className = 'zoom';
  for (const [sign, name, act] of /** @type {const} */ ([
    ['+', inName, all(({ zoom }) => zoom(closer))],
    ['−', outName, all(({ zoom }) => zoom(1 / closer))],
    ['⤢', wholeName, all(({ reset }) => reset())],
  ])) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = sign;
    button.title = name;
    button.setAttribute('aria-label', name);
    button.addEventListener('click', act);
    bar.append(button);
  }
  figure.prepend(bar);
  figure.tabIndex = 0;
  figure.setAttribute('aria-label', figure.dataset.help ?? '');
  /** @type {Record<string, () => void>} */
  const keys = {
    '+': all(({ zoom }) => zoom(closer)),
    '=': all(({ zoom }) => zoom(closer)),
    '-': all(({ zoom }) => zoom(1 / closer)),
    0: all(({ reset }) => reset()),
    ArrowLeft: all(({ move }) => move(-stepShare, 0)),
    ArrowRight: all(({ move }) => move(stepShare, 0)),
    ArrowUp: all(({ move }) => move(0, -stepShare)),
    ArrowDown: all(({ move }) => move(0, stepShare)),
  };
  figure.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key];
    // Arrow keys scroll the page unless the picture has the focus.
    if (act === undefined || (event.key.startsWith('Arrow') && event.target !== figure)) return;
    event.preventDefault();
    act();
  });
}

/**
 * @param {SVGSVGElement} svg
 * @param {{ zoom: (by: number, atX?: number, atY?: number) => void, move: (right: number, down: number) => void,
 * isWhole: () => boolean }} view
 */
function listen(svg, { zoom, move, isWhole }) {
  /** @type {Map<number, { x: number, y: number }>} */
  const pointers = new Map();
  let moved = 0;
  const shares = (/** @type {{ clientX: number, clientY: number }} */ { clientX, clientY }) => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  };
  svg.addEventListener(
    'wheel',
    (event) => {
      // The wheel scrolls the page; with Ctrl, which is also how touchpads report pinching, it zooms.
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { x, y } = shares(event);
      zoom(event.deltaY < 0 ? closer : 1 / closer, x, y);
    },
    { passive: false },
  );
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, shares(event));
  });
  svg.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const at = shares(event);
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (other !== undefined) {
      const apart = (/** @type {{ x: number, y: number }} */ one) =>
        Math.hypot(one.x - other.x, one.y - other.y);
      zoom(apart(before) / Math.max(0.01, apart(at)), (at.x + other.x) / 2, (at.y + other.y) / 2);
      moved = 1;
    } else if (!isWhole()) {
      move(before.x - at.x, before.y - at.y);
      moved += Math.hypot(before.x - at.x, before.y - at.y);
    }
    if (moved > 0.01 && !svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at);
  });
  for (const end of /** @type {const} */ (['pointerup', 'pointercancel', 'pointerleave']))
    svg.addEventListener(end, (event) => pointers.delete(event.pointerId));
  // A drag must not open a link.
  svg.addEventListener(
    'click',
    (event) => {
      if (moved > 0.01) event.preventDefault();
      moved = 0;
    },
    true,
  );
  svg.addEventListener('dragstart', (event) => event.preventDefault());
}

for (const figure of document.querySelectorAll('figure.picture'))
  if (figure instanceof HTMLElement) movable(figure);
