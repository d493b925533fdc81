/** The speed of `docent ingest`: from the start of the command until all documents can be found. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { sampler, vocabulary } from './history.ts';
import { entry, withFolder } from './speed.ts';

const lookEveryMs = 100;

/**
 * Each path separately into a new data folder; without paths, a synthetic Markdown folder with `--documents <number>`.
 */
export async function ingestSpeed(args: readonly string[]): Promise<Record<string, unknown>[]> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { documents: { type: 'string', default: '2000' } },
    allowPositionals: true,
  });
  const rows = [];
  for (const path of positionals) rows.push(await measure(path));
  if (positionals.length > 0) return rows;
  return withFolder(async (folder) => [await measure(makePages(folder, Number(values.documents)))]);
}

async function measure(path: string) {
  return withFolder(async (data) => {
    const start = performance.now();
    const child = spawn(process.execPath, [entry, 'ingest', path, '--corpus', 'bench', '--json'], {
      env: { ...process.env, DOCENT_DATA: data },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let memory_mb = 0;
    // Linux records the peak memory of a process.
    const looks = setInterval(() => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      memory_mb = Math.max(memory_mb, Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024));
    }, lookEveryMs);
    child.once('exit', () => clearInterval(looks));
    const { added, chunks, skipped } = JSON.parse(await text(child.stdout));
    const seconds = (performance.now() - start) / 1000;
    return {
      path: basename(path),
      documents: added,
      skipped: skipped.length,
      chunks,
      seconds,
      chunks_per_s: chunks / seconds,
      memory_mb,
    };
  });
}

/** Pages of a manual, each of about seven chunks: headings, paragraphs, a list, a table, code. */
function makePages(folder: string, documents: number): string {
  const say = sampler(vocabulary(27_000), 5);
  const sentence = (words: number) => `${say(words)}.`;
  const paragraph = () => Array.from({ length: 6 }, () => sentence(12)).join(' ');
  const section = (n: number, s: number) =>
    `## ${say(3)}\n\n${paragraph()}\n\n- ${sentence(8)}\n- ${sentence(8)}\n\n| A | B |\n|---|---|\n| ${say(2)} | ${say(2)} |\n\n\`\`\`sh\nrun --page ${n} --section ${s}\n\`\`\`\n\n${paragraph()}\n`;
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  for (let n = 0; n < documents; n++) {
    const sections = Array.from({ length: 6 }, (_, s) => section(n, s)).join('\n');
    writeFileSync(join(pages, `page-${n}.md`), `# ${say(4)}\n\n${paragraph()}\n\n${sections}`);
  }
  return pages;
}
