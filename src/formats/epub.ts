/** Parses EPUB: the chapters in the spine, in order, each of which is an HTML page. */

import { isLanguage } from '../language/index.ts';
import { descendants, openArchive, parseXml, pathFrom, textOf } from './archive.ts';
import { type ParsedDocument, Refusal } from './blocks.ts';
import { parseHtml } from './html.ts';
import { placeNotes } from './notes.ts';
import { titleOf } from './office.ts';
import { OpenDocument } from './runs.ts';

export function parseEpub(bytes: Uint8Array): ParsedDocument {
  const archive = openArchive(bytes, (name) => /\.(?:x?html?|opf|xml)$/i.test(name));
  // Obfuscated fonts are listed there too, but they do not matter.
  const methods = [
    ...(archive.text('META-INF/encryption.xml') ?? '').matchAll(/EncryptionMethod[^>]*Algorithm="([^"]*)"/g),
  ];
  if (
    methods.some(
      ([, algorithm]) => !/idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/.test(algorithm ?? ''),
    )
  ) {
    throw new Refusal('encrypted: protected against copying');
  }
  const container = descendants(parseXml(archive.text('META-INF/container.xml') ?? ''), 'rootfile')[0];
  const packagePath =
    container?.attributes['full-path'] ?? archive.names.find((name) => name.endsWith('.opf')) ?? '';
  const source = archive.text(packagePath);
  if (source === null) throw new Refusal('broken: no book inside');
  const book = parseXml(source);
  const folder = packagePath.includes('/') ? packagePath.slice(0, packagePath.lastIndexOf('/') + 1) : '';
  const items = new Map(descendants(book, 'item').map((item) => [item.attributes.id ?? '', item.attributes]));
  const document = new OpenDocument();
  for (const reference of descendants(book, 'itemref')) {
    const item = items.get(reference.attributes.idref ?? '');
    if (!item || reference.attributes.linear === 'no' || /\bnav\b/.test(item.properties ?? '')) continue;
    const source = archive.text(resolvePath(folder, item.href ?? ''));
    if (source === null) continue;
    const page = parseHtml(source);
    // Note marks may restart in each chapter.
    document.blocks.push(...placeNotes(page.blocks));
    document.left.push(...(page.left ?? []));
  }
  const lang = descendants(book, 'dc:language')[0];
  const code = lang ? textOf(lang).trim().slice(0, 2).toLowerCase() : '';
  return { ...document.finish(titleOf(book)), ...(isLanguage(code) ? { lang: code } : {}) };
}

function resolvePath(folder: string, href: string): string {
  const path = href.replace(/#.*$/, '');
  try {
    return pathFrom(folder, decodeURIComponent(path));
  } catch {
    // If the name contains a stray percent sign, use it unchanged.
    return pathFrom(folder, path);
  }
}
