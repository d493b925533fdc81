/**
 * corpus.yaml: the description of a corpus and its files. All errors are reported together, with their lines, before
 * anything is ingested. An unknown field outside `files` is an error, because it is probably a typo that could change
 * who may read what.
 */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import {
  type CorpusSettings,
  type Language,
  type Layer,
  type Localized,
  languages,
  type Style,
  styles,
} from '../domain/events.ts';
import type { Hints } from '../formats/blocks.ts';
import { readHints } from '../formats/hints.ts';
import { alternativesMax, globMatcher, type PathMatcher } from './glob.ts';
import { mainLayer } from './layers.ts';

export interface FileRule {
  matches: PathMatcher;
  hints: Hints;
}

export interface Manifest {
  /** The corpus id. */
  id: string;
  settings: CorpusSettings;
  /** The first rule that matches a file applies. */
  files: FileRule[];
}

export interface ManifestFault {
  /** Counted from 1. */
  line: number;
  message: string;
}

const corpusId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const examplesMax = 6;
const layerName = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,99}$/u;

/** The manifest, or null with its errors. */
export function parseManifest(source: string): { manifest: Manifest | null; faults: ManifestFault[] } {
  const reader = new ManifestReader(source);
  const manifest = reader.read();
  const faults = reader.faults.sort((a, b) => a.line - b.line);
  return { manifest: faults.length === 0 ? manifest : null, faults };
}

class ManifestReader {
  readonly faults: ManifestFault[] = [];
  private readonly lines = new LineCounter();
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  read(): Manifest | null {
    const document = parseDocument(this.source, {
      lineCounter: this.lines,
      prettyErrors: false,
      logLevel: 'silent',
    });
    for (const error of document.errors) this.fault(error.pos[0], error.message);
    if (document.errors.length > 0) return null;
    const root = document.contents;
    if (!isMap(root)) {
      this.fault(0, 'must be a list of fields: id, title, …');
      return null;
    }
    const fields = this.fields(root, [
      'id',
      'title',
      'description',
      'languages',
      'styles',
      'layers',
      'examples',
      'files',
    ]);
    for (const name of ['id', 'title']) if (!fields.has(name)) this.fault(0, `"${name}" is missing`);
    const settings: CorpusSettings = {
      title: this.localized(fields.get('title'), 'title') ?? '',
      description: this.localized(fields.get('description'), 'description'),
      languages: this.list<Language>(fields.get('languages'), 'languages', languages) ?? [...languages],
      styles: this.list<Style>(fields.get('styles'), 'styles', styles) ?? [],
      layers: this.layers(fields.get('layers')),
      ...this.examples(fields.get('examples')),
    };
    return {
      id: this.text(fields.get('id'), 'id', corpusId, 'at most 100 letters, digits, "_" and "-"') ?? '',
      settings,
      files: this.rules(fields.get('files'), settings.layers),
    };
  }

  private fault(at: Node | number | null | undefined, message: string): void {
    const offset = typeof at === 'number' ? at : (at?.range?.[0] ?? 0);
    this.faults.push({ line: this.lines.linePos(offset).line || 1, message });
  }

  /** The fields of a mapping by name. If `known` is given, other fields are errors. */
  private fields(map: YAMLMap, known: readonly string[] | null): Map<string, Node | null> {
    const found = new Map<string, Node | null>();
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (known !== null && !known.includes(name)) this.fault(key as Node, `unknown field "${name}"`);
      else found.set(name, value as Node | null);
    }
    return found;
  }

  /** A non-blank string; numbers are kept as written. */
  private text(node: Node | null | undefined, name: string, pattern?: RegExp, says?: string): string | null {
    if (node === undefined || node === null) return null;
    const value = isScalar(node)
      ? typeof node.value === 'number'
        ? (node.source ?? String(node.value))
        : node.value
      : undefined;
    if (typeof value !== 'string' || value.trim() === '') this.fault(node, `"${name}" must be a string`);
    else if (pattern && !pattern.test(value)) this.fault(node, `"${name}" must consist of ${says}`);
    else return value;
    return null;
  }

  private localized(node: Node | null | undefined, name: string): Localized | null {
    if (!isMap(node)) return this.text(node, name);
    const texts: Partial<Record<Language, string>> = {};
    for (const [language, value] of this.fields(node, languages)) {
      const text = this.text(value, `${name}.${language}`);
      if (text !== null) texts[language as Language] = text;
      else if (value === null || (isScalar(value) && value.value === null))
        this.fault(node, `"${name}.${language}" must be a string`);
    }
    if (node.items.length === 0)
      this.fault(node, `"${name}" must be a string, or a string for each language`);
    return texts;
  }

  /** Questions by language; empty if none are given. */
  private examples(node: Node | null | undefined): Pick<CorpusSettings, 'examples'> {
    if (node === undefined || node === null) return {};
    const examples: CorpusSettings['examples'] = {};
    if (!isMap(node)) this.fault(node, '"examples" must list questions for each language');
    else
      for (const [language, value] of this.fields(node, languages)) {
        const items = isSeq(value) ? (value.items as Node[]) : [];
        if (items.length === 0 || items.length > examplesMax)
          this.fault(value ?? node, `"examples.${language}" must list 1 to ${examplesMax} questions`);
        else
          examples[language as Language] = items.flatMap(
            (item) =>
              this.text(
                item,
                `examples.${language}`,
                /^[^\n]{1,200}$/u,
                'one line of at most 200 characters',
              ) ?? [],
          );
      }
    return { examples };
  }

  private list<T extends string>(
    node: Node | null | undefined,
    name: string,
    allowed: readonly T[],
  ): T[] | null {
    if (node === undefined || node === null) return null;
    if (!isSeq(node)) {
      this.fault(node, `"${name}" must be a list`);
      return null;
    }
    const found: T[] = [];
    for (const item of node.items) {
      const value = isScalar(item) ? item.value : undefined;
      const known = allowed.find((one) => one === value);
      if (known === undefined) this.fault(item as Node, `"${name}" may only contain ${allowed.join(', ')}`);
      else if (found.includes(known)) this.fault(item as Node, `"${known}" is listed twice in "${name}"`);
      else found.push(known);
    }
    if (node.items.length === 0 && name === 'languages') this.fault(node, '"languages" must not be empty');
    return found;
  }

  /** The mappings in a list. Anything else is an error. */
  private *maps(node: Node, isList: string, isItem: string): Generator<YAMLMap> {
    if (!isSeq(node)) this.fault(node, isList);
    else
      for (const item of node.items)
        if (isMap(item)) yield item;
        else this.fault(item as Node, isItem);
  }

  private layers(node: Node | null | undefined): Layer[] {
    if (node === undefined || node === null) return [mainLayer];
    const isList = '"layers" must be a list of layers';
    if (isSeq(node) && node.items.length === 0) this.fault(node, isList);
    const found: Layer[] = [];
    for (const item of this.maps(node, isList, 'a layer must be written {name: …}')) {
      const fields = this.fields(item, ['name', 'title', 'kind', 'visibility']);
      if (!fields.has('name')) this.fault(item, 'a layer needs a "name"');
      const name =
        this.text(fields.get('name'), 'name', layerName, 'at most 100 letters, digits, "_" and "-"') ?? '';
      if (name !== '' && found.some((layer) => layer.name === name))
        this.fault(item, `two layers are called "${name}"`);
      found.push({
        name,
        title: this.localized(fields.get('title'), 'title'),
        kind: this.choice(fields.get('kind'), 'kind', ['text', 'faq', 'superseded'] as const) ?? 'text',
        visibility:
          this.choice(fields.get('visibility'), 'visibility', ['public', 'restricted'] as const) ?? 'public',
      });
    }
    return found;
  }

  private choice<T extends string>(
    node: Node | null | undefined,
    name: string,
    allowed: readonly T[],
  ): T | null {
    if (node === undefined || node === null) return null;
    const value = isScalar(node) ? allowed.find((one) => one === node.value) : undefined;
    if (value === undefined) this.fault(node, `"${name}" must be one of ${allowed.join(', ')}`);
    return value ?? null;
  }

  private rules(node: Node | null | undefined, layers: readonly Layer[]): FileRule[] {
    if (node === undefined || node === null) return [];
    const rules: FileRule[] = [];
    for (const item of this.maps(node, '"files" must be a list', 'a file must be written {path: …}')) {
      const fields = this.fields(item, null);
      if (!fields.has('path')) this.fault(item, 'a file needs a "path"');
      const path = fields.get('path');
      const pattern = this.text(path, 'path');
      if (isScalar(path) && typeof path.value === 'number') this.fault(path, '"path" must be a string');
      const values: Record<string, unknown> = {};
      for (const [name, value] of fields) {
        // A year is kept as written.
        const isYear = name === 'event_date' && isScalar(value) && typeof value.value === 'number';
        values[name] = isYear ? value.source : (value?.toJSON() ?? null);
      }
      const layer = values.layer;
      if (typeof layer === 'string' && layers.length > 0 && !layers.some((one) => one.name === layer))
        this.fault(fields.get('layer'), `no layer is called "${layer}"`);
      const hints = readHints(values, ['path'], (field, message) => this.fault(fields.get(field), message));
      if (pattern === null) continue;
      const matches = globMatcher(pattern);
      if (matches === null)
        this.fault(path, `the braces of "path" stand for more than ${alternativesMax} patterns`);
      else rules.push({ matches, hints });
    }
    return rules;
  }
}
