/**
 * The binary formats of Office before 2007, read by LibreOffice where it is installed and DOCENT_LIBREOFFICE allows it:
 * it is a large program that parses what strangers send, so it runs bounded in time and memory, in a folder of its own.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Refusal } from '../blocks.ts';

export type OldFormat = 'doc' | 'xls' | 'ppt';

const names: Record<OldFormat, string> = {
  doc: 'Word (.doc)',
  xls: 'Excel (.xls)',
  ppt: 'PowerPoint (.ppt)',
};
const today = { doc: 'docx', xls: 'xlsx', ppt: 'pptx' } as const;
const timeoutMs = 60_000;
/** Address space, most of which is never used. */
const memoryKb = 4_000_000;

/** The file in today's format. Refusal where that is not allowed, or LibreOffice is not there or fails on it. */
export async function convertOld(
  bytes: Uint8Array,
  format: OldFormat,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ bytes: Uint8Array; format: (typeof today)[OldFormat] }> {
  const to = today[format];
  if (env.DOCENT_LIBREOFFICE !== 'on')
    throw new Refusal(
      `unsupported: the old binary ${names[format]} format; save it as .${to}, or install LibreOffice and set DOCENT_LIBREOFFICE=on`,
    );
  const folder = await mkdtemp(join(tmpdir(), 'docent-office-'));
  try {
    const source = join(folder, `file.${format}`);
    await writeFile(source, bytes);
    const out = join(folder, 'out');
    const command = [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      '--convert-to',
      to,
      '--outdir',
      out,
      source,
    ];
    // The shell bounds the memory of what it becomes.
    await promisify(execFile)(
      'sh',
      ['-c', `ulimit -v ${memoryKb}; exec soffice "$@"`, 'soffice', ...command],
      {
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        env: { PATH: env.PATH ?? '', HOME: folder },
      },
    ).catch(() => {
      throw new Refusal('LibreOffice is not installed, or failed on it');
    });
    const [made] = await readdir(out).catch(() => []);
    if (made === undefined) throw new Refusal('broken: LibreOffice cannot read it');
    return { bytes: await readFile(join(out, made)), format: to };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
