/** How fast `docent ingest` is: from the start of the command to its end, when all of it can be found. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sampler, vocabulary } from './history.ts';
import { withFolder } from './speed.ts';

const entry = fileURLToPath(new URL('../src/docent.js', import.meta.url));
const madeDocuments = 2_000;
const lookEveryMs = 100;

/** Each path by itself into a fresh data folder; without paths a made folder of Markdown, and the same as JSONL. */
export async function ingestSpeed(paths: readonly string[]) {
  if (paths.length > 0) {
    const rows = [];
    for (const path of paths) rows.push(await measure(path));
    return rows;
  }
  return withFolder(async (folder) => {
    const made = makeSource(folder);
    return [await measure(made.folder), await measure(made.jsonl)];
  });
}

async function measure(path: string) {
  return withFolder(async (data) => {
    const start = performance.now();
    const child = spawn(process.execPath, [entry, 'ingest', path, '--corpus', 'bench', '--json'], {
      env: { ...process.env, DOCENT_DATA: data },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (part: Buffer) => {
      output += part;
    });
    const closed = new Promise((resolve) => child.once('close', resolve));
    const used = await watch(child, closed);
    const seconds = (performance.now() - start) / 1000;
    const { added, chunks, skipped } = JSON.parse(output);
    return {
      path: path.split('/').at(-1),
      documents: added,
      skipped: skipped.length,
      chunks,
      seconds,
      chunks_per_s: chunks / seconds,
      processor_s: used.seconds,
      memory_mb: used.mainMb,
      parser_memory_mb: used.parserMb,
    };
  });
}

/** What a process and its children use, until it ends; as Linux tells it. */
async function watch(child: ChildProcess, closed: Promise<unknown>) {
  const seconds = new Map<number, number>();
  let mainMb = 0;
  let parserMb = 0;
  let ended = false;
  closed.then(() => {
    ended = true;
  });
  while (!ended) {
    for (const pid of [child.pid!, ...childrenOf(child.pid!)]) {
      const stat = read(`/proc/${pid}/stat`);
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // utime and stime, in hundredths: proc(5).
      if (fields.length > 13) seconds.set(pid, (Number(fields[11]) + Number(fields[12])) / 100);
      const mb = Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
      if (pid === child.pid) mainMb = Math.max(mainMb, Math.round(mb));
      else parserMb = Math.max(parserMb, Math.round(mb));
    }
    await Promise.race([closed, delay(lookEveryMs)]);
  }
  return { seconds: [...seconds.values()].reduce((sum, n) => sum + n, 0), mainMb, parserMb };
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      read(`/proc/${pid}/task/${task}/children`).trim().split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Empty once the process has gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Pages of a manual: headings, paragraphs, a list, a table, code; some seven chunks each. */
function makeSource(folder: string): { folder: string; jsonl: string } {
  const say = sampler(vocabulary(27_000), 5);
  const sentence = (words: number) => `${say(words)}.`;
  const paragraph = () => Array.from({ length: 6 }, () => sentence(12)).join(' ');
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  const lines: string[] = [];
  for (let n = 0; n < madeDocuments; n++) {
    const sections = Array.from(
      { length: 6 },
      (_, s) =>
        `## ${say(3)}\n\n${paragraph()}\n\n- ${sentence(8)}\n- ${sentence(8)}\n\n| A | B |\n|---|---|\n| ${say(2)} | ${say(2)} |\n\n\`\`\`sh\nrun --page ${n} --section ${s}\n\`\`\`\n\n${paragraph()}\n`,
    );
    const text = `# ${say(4)}\n\n${paragraph()}\n\n${sections.join('\n')}`;
    writeFileSync(join(pages, `page-${n}.md`), text);
    lines.push(JSON.stringify({ id: `page-${n}`, text, format: 'md' }));
  }
  const jsonl = join(folder, 'pages.jsonl');
  writeFileSync(jsonl, `${lines.join('\n')}\n`);
  return { folder: pages, jsonl };
}
