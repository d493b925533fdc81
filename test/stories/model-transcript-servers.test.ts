import { overServers } from '../http/over-servers.ts';
import { transcriptContract } from './model-transcript.contract.ts';

overServers((wiring, servers) =>
  transcriptContract(wiring, () =>
    Object.fromEntries(Object.entries(servers()).map(([name, value]) => [name, String(value)])),
  ),
);
