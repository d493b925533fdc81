/**
 * A drawing of a node and its neighbours: the node in the middle, the neighbours to its left and right by weight, with
 * their names. Every element is a link, and no script is needed.
 */
import type { GraphEdge, GraphNode } from '../../src/asks/graph-schema.ts';
import { type Html, html } from './html.ts';

export interface Drawn {
  node: GraphNode;
  /** The full label and a short one. */
  name: string;
  label: string;
  /** Address of the node's page. */
  address: string;
}

export interface Picture {
  centre: Drawn;
  /** The neighbours, closest first. */
  others: readonly Drawn[];
  edges: readonly GraphEdge[];
}

interface Sheet {
  width: number;
  /** Vertical distance between two names. */
  step: number;
  /** Distance from the middle to the names. */
  reach: number;
  /** Maximum number of letters in a name. */
  letters: number;
  othersMax: number;
}

/** Dimensions for wide and narrow pages, with letters of the same size. */
export const sheets = {
  wide: { width: 860, step: 44, reach: 200, letters: 28, othersMax: 24 },
  narrow: { width: 340, step: 46, reach: 56, letters: 12, othersMax: 14 },
} satisfies Record<string, Sheet>;

const margin = 34;

interface Point {
  x: number;
  y: number;
}

export function picture(of: Picture, { width, step, reach, letters, othersMax }: Sheet, title: string): Html {
  const others = of.others.slice(0, othersMax);
  const sides = [others.filter((_, n) => n % 2 === 0), others.filter((_, n) => n % 2 === 1)];
  const height = Math.max(5, sides[0]!.length) * step + margin * 2;
  const centre = { x: width / 2, y: height / 2 };
  const points = new Map<string, Point>([[of.centre.node.id, centre]]);
  for (const [side, all] of sides.entries())
    for (const [n, { node }] of inwards(all).entries()) {
      const y = centre.y + (n - (all.length - 1) / 2) * step;
      const bend = Math.sqrt(Math.max(0, 1 - ((y - centre.y) / (height / 2)) ** 2));
      const x = centre.x + (side === 0 ? 1 : -1) * reach * (0.55 + 0.45 * bend);
      points.set(node.id, { x: round(x), y: round(y) });
    }
  const isOwn = ({ from, to }: GraphEdge) => from === of.centre.node.id || to === of.centre.node.id;
  const drawn = of.edges.filter(({ from, to }) => points.has(from) && points.has(to));
  return html`<svg viewBox="0 0 ${width} ${height}" role="group" aria-label="${title}">
${[...drawn.filter((one) => !isOwn(one)), ...drawn.filter(isOwn)].map((one) => line(one, points, centre, isOwn(one)))}
${others.map((one) => mark(one, points.get(one.node.id)!, centre, letters))}
<g class="kind-${of.centre.node.kind} centre"><circle cx="${centre.x}" cy="${centre.y}" r="${sizeOf(of.centre.node) + 5}"/>
<text x="${centre.x}" y="${centre.y + sizeOf(of.centre.node) + 24}" text-anchor="middle">${shortened(of.centre.label, letters + 8)}</text></g>
</svg>`;
}

/** Reorders the nodes: the first in the middle, the others around it. */
function inwards<T>(all: readonly T[]): T[] {
  const arranged: T[] = [];
  for (const [n, one] of all.entries()) {
    if (n % 2 === 0) arranged.push(one);
    else arranged.unshift(one);
  }
  return arranged;
}

function line(
  { from, to, relation, count }: GraphEdge,
  points: ReadonlyMap<string, Point>,
  centre: Point,
  own: boolean,
): Html {
  const [a, b] = [points.get(from)!, points.get(to)!];
  const width = own ? round(Math.min(5, 1 + Math.log2(count) / 1.6)) : 1;
  const path = own
    ? `M${a.x} ${a.y}L${b.x} ${b.y}`
    : `M${a.x} ${a.y}Q${round((a.x + b.x + centre.x) / 3)} ${round((a.y + b.y + centre.y) / 3)} ${b.x} ${b.y}`;
  return html`<path class="${own ? `own ${relation}` : 'beside'}" stroke-width="${width}" d="${path}"/>${own && relation === 'refers_to' && arrow(a, b)}`;
}

/** An arrow in the middle of an edge, along its direction. */
function arrow(a: Point, b: Point): Html {
  const turn = round((Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI);
  return html`<path class="arrow" transform="translate(${round((a.x + b.x) / 2)} ${round((a.y + b.y) / 2)}) rotate(${turn})" d="M-5 -5L6 0L-5 5z"/>`;
}

function mark({ node, name, label, address }: Drawn, { x, y }: Point, centre: Point, letters: number): Html {
  const right = x >= centre.x;
  const size = sizeOf(node);
  const at = right ? x + size + 7 : x - size - 7;
  return html`<a href="${address}" class="kind-${node.kind}"><title>${name}</title><circle cx="${x}" cy="${y}" r="${size}"/><text x="${at}" y="${y + 5}"${!right && html` text-anchor="end"`}>${shortened(label, letters)}</text></a>
`;
}

const sizeOf = ({ count }: GraphNode): number => round(Math.min(15, 5 + Math.log2(count + 1)));
const round = (n: number): number => Math.round(n * 10) / 10;

function shortened(text: string, letters: number): string {
  const all = [...text];
  return all.length <= letters
    ? text
    : `${all
        .slice(0, letters - 1)
        .join('')
        .trimEnd()}…`;
}
