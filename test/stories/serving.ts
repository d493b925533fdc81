/** Instances of the service in separate processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { entry } from '../support/command.ts';

export interface Instance {
  url: string;
  /** Kills the process and resolves when it has ended. */
  kill(): Promise<void>;
}

const running = new Set<Instance>();

/** Starts an instance on a free port with these settings, and resolves once it listens. */
export async function startInstance(env: NodeJS.ProcessEnv): Promise<Instance> {
  const child = spawn(process.execPath, [entry, 'serve'], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const instance: Instance = {
    url: '',
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
      running.delete(instance);
    },
  };
  running.add(instance);
  let said = '';
  instance.url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes;
      const found = /is listening on (http:\/\/\S+)/.exec(said);
      if (found) resolve(found[1]!);
    });
    child.once('exit', (code) => reject(new Error(`the instance ended with ${code}: ${said}`)));
  });
  return instance;
}

/** Ends the instances that a test has started. */
export async function endInstances(): Promise<void> {
  for (const instance of running) await instance.kill();
}
