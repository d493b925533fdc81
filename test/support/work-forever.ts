/**
 * A process that ingests a folder and answers questions endlessly until it is killed. It prints what it has
 * acknowledged, one item per line: `asked <request_id>`, `took <doc_key> <mark>`. First it prints what the previous
 * process left behind: `kept <Kept as JSON>`, with the asks given to it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { corpus, kept } from './kept.ts';

const [data, library, ...asked] = process.argv.slice(2) as [string, string, ...string[]];
const app = await openApp({
  ...readConfig({}, '/dev/null'),
  DOCENT_DATA: data,
  DOCENT_DEFAULT_CORPUS: corpus,
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const caller = { actor: 'public', key_id: null, subject: null };
say(`kept ${JSON.stringify(await kept(app, asked))}`);

async function takeIn(): Promise<void> {
  for (let round = 0; ; round++) {
    const keys = Array.from({ length: 4 }, (_, i) => `doc-${i}`);
    for (const key of keys) {
      // Written completely or not at all, because this process may be killed at any moment.
      const made = `${library}-${key}`;
      writeFileSync(made, documentText(key, `${process.pid}.${round}`));
      renameSync(made, join(library, `${key}.md`));
    }
    await app.ingest({ path: library, corpus_id: corpus, actor: 'system' });
    for (const key of keys) say(`took ${key} ${process.pid}.${round}`);
  }
}

function documentText(key: string, mark: string): string {
  const sections = Array.from(
    { length: 12 },
    (_, i) =>
      `## Раздел ${i} документа ${key}\n\nЗдесь сказано, что метка раздела ${i} есть ${mark}. Налоги платят все граждане.\n`,
  );
  return `# Документ ${key}\n\n${sections.join('\n')}`;
}

async function askOn(): Promise<void> {
  for (let n = 0; ; n++) {
    const question = { query: `Кто платит налоги ${n}?`, corpus_id: corpus, channel: 'cli' as const, caller };
    for await (const part of app.ask(question, new AbortController().signal)) {
      if (part.type === 'done') say(`asked ${part.request_id}`);
    }
  }
}

await app.ingest({ path: library, corpus_id: corpus, actor: 'system' }).catch(() => {});
await Promise.all([takeIn(), askOn(), askOn()]);
