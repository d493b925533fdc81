/**
 * Converts pre-2007 binary Office formats with LibreOffice, if it is installed and enabled by DOCENT_LIBREOFFICE.
 * Because it is a large program that parses untrusted files, it runs in a separate folder with time and memory limits.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Refusal } from './blocks.ts';

export type OldFormat = 'doc' | 'xls' | 'ppt';

const names: Record<OldFormat, string> = {
  doc: 'Word (.doc)',
  xls: 'Excel (.xls)',
  ppt: 'PowerPoint (.ppt)',
};
const today = { doc: 'docx', xls: 'xlsx', ppt: 'pptx' } as const;
const timeoutMs = 60_000;
/** Limit on address space, most of which is never used. */
const memoryKb = 4_000_000;

/**
 * Converts the file to the current format. Throws Refusal if conversion is disabled, or LibreOffice is missing or
 * fails.
 */
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
    // The shell sets the memory limit and then executes the program.
    await promisify(execFile)(
      'sh',
      ['-c', `ulimit -v ${memoryKb}; exec soffice "$@"`, 'soffice', ...command],
      { timeout: timeoutMs, killSignal: 'SIGKILL', env: { PATH: env.PATH ?? '', HOME: folder } },
    ).catch(() => {
      throw new Refusal('LibreOffice is not installed, or could not convert it');
    });
    const [made] = await readdir(out).catch(() => []);
    if (made === undefined) throw new Refusal('broken: LibreOffice cannot read it');
    return { bytes: await readFile(join(out, made)), format: to };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
