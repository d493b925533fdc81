/**
 * Converts formulas to a line of text. Office Math and MathML become LaTeX where plain text would be ambiguous
 * (fractions, roots, indices); linear formulas are unchanged.
 */
import { childOf, childrenOf, isElement, textOf, type XmlElement } from './archive.ts';

/** Converts an `m:oMath` element (DOCX or PPTX). */
export function officeMath(element: XmlElement): string {
  return tidy(childrenOf(element).map(officePart).join(''));
}

const officeText = (parent: XmlElement | undefined, name: string): string => {
  const element = childOf(parent, name);
  return element ? officeMath(element) : '';
};

const ownValue = (element: XmlElement | undefined): string | undefined => element?.attributes['m:val'];

function officePart(element: XmlElement): string {
  const of = (name: string) => officeText(element, name);
  switch (element.name) {
    case 'm:r':
      return childrenOf(element, 'm:t').map(textOf).join('');
    case 'm:f':
      return fraction(of('m:num'), of('m:den'));
    case 'm:sSup':
      return of('m:e') + index('^', of('m:sup'));
    case 'm:sSub':
      return of('m:e') + index('_', of('m:sub'));
    case 'm:sSubSup':
      return of('m:e') + index('_', of('m:sub')) + index('^', of('m:sup'));
    case 'm:sPre':
      return `{}${index('_', of('m:sub'))}${index('^', of('m:sup'))}${of('m:e')}`;
    case 'm:rad':
      return root(of('m:e'), of('m:deg'));
    case 'm:nary': {
      const sign = ownValue(childOf(childOf(element, 'm:naryPr'), 'm:chr')) ?? '∫';
      return `${sign}${index('_', of('m:sub'))}${index('^', of('m:sup'))} ${of('m:e')}`;
    }
    case 'm:limLow':
      return of('m:e') + index('_', of('m:lim'));
    case 'm:limUpp':
      return of('m:e') + index('^', of('m:lim'));
    case 'm:func':
      return `${of('m:fName')} ${of('m:e')}`;
    case 'm:d': {
      const properties = childOf(element, 'm:dPr');
      const sign = (name: string, usual: string) => ownValue(childOf(properties, name)) ?? usual;
      const parts = childrenOf(element, 'm:e').map(officeMath);
      return sign('m:begChr', '(') + parts.join(sign('m:sepChr', '|')) + sign('m:endChr', ')');
    }
    case 'm:m':
      return childrenOf(element, 'm:mr')
        .map((row) => childrenOf(row, 'm:e').map(officeMath).join(' & '))
        .join(' \\\\ ');
    case 'm:eqArr':
      return childrenOf(element, 'm:e').map(officeMath).join('; ');
    default:
      // Properties contain no formula text, except for tracked insertions.
      return element.name.endsWith('Pr') || element.name === 'w:del'
        ? ''
        : childrenOf(element).map(officePart).join('');
  }
}

/** Converts a MathML `math` element. Embedded LaTeX takes precedence. */
export function mathMl(element: XmlElement): string {
  const source = findAnnotation(element);
  return source ? tidy(source) : tidy(mathPart(element));
}

function findAnnotation(element: XmlElement): string | null {
  for (const child of childrenOf(element)) {
    if (bare(child) === 'annotation' && /tex/i.test(child.attributes.encoding ?? '')) return textOf(child);
    const below = findAnnotation(child);
    if (below !== null) return below;
  }
  return null;
}

const bare = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1);

function mathPart(element: XmlElement): string {
  const parts = childrenOf(element);
  const at = (n: number) => (parts[n] ? mathPart(parts[n]) : '');
  const all = () =>
    element.children.map((child) => (isElement(child) ? mathPart(child) : child.trim())).join('');
  switch (bare(element)) {
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'mfrac':
      return fraction(at(0), at(1));
    case 'msup':
    case 'mover':
      return at(0) + index('^', at(1));
    case 'msub':
    case 'munder':
      return at(0) + index('_', at(1));
    case 'msubsup':
    case 'munderover':
      return at(0) + index('_', at(1)) + index('^', at(2));
    case 'msqrt':
      return root(all(), '');
    case 'mroot':
      return root(at(0), at(1));
    case 'mtr':
      return parts.map(mathPart).join(' & ');
    case 'mtable':
      return parts.map(mathPart).join(' \\\\ ');
    case 'mfenced':
      return `${element.attributes.open ?? '('}${parts.map(mathPart).join(', ')}${element.attributes.close ?? ')'}`;
    case 'mo':
      return /^[=<>≤≥≠≈+−×·÷±∓→↔⇒∈-]$/.test(textOf(element).trim())
        ? ` ${textOf(element).trim()} `
        : textOf(element).trim();
    case 'mspace':
      return ' ';
    default:
      return all();
  }
}

const isShort = (text: string) => [...text].length === 1 || /^\d+$/.test(text);

function fraction(above: string, below: string): string {
  return isShort(above) && isShort(below) ? `${above}/${below}` : `\\frac{${above}}{${below}}`;
}

function root(of: string, degree: string): string {
  return degree === '' ? `\\sqrt{${of}}` : `\\sqrt[${degree}]{${of}}`;
}

function index(sign: '^' | '_', of: string): string {
  return of === '' ? '' : [...of].length === 1 ? sign + of : `${sign}{${of}}`;
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
