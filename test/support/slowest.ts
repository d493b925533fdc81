/** A reporter that lists the slowest files and tests after a long run. */
import type { Reporter, TestModule } from 'vitest/node';

const filesMin = 20;
const shown = 10;

interface Timed {
  name: string;
  ms: number;
}

function table(title: string, timed: readonly Timed[]): string {
  const slowest = [...timed].sort((a, b) => b.ms - a.ms).slice(0, shown);
  const lines = slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
  return `\n${title}\n${lines.join('\n')}\n`;
}

export class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < filesMin) return;
    const files = modules.map((module) => ({
      name: module.relativeModuleId,
      ms: module.diagnostic().duration,
    }));
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((one) => ({
        name: `${module.relativeModuleId}: ${one.fullName}`,
        ms: one.diagnostic()?.duration ?? 0,
      })),
    );
    process.stdout.write(table('Slowest files', files) + table('Slowest tests', tests));
  }
}
