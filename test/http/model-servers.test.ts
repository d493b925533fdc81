import { modelContract } from './model.contract.ts';
import { overServers } from './over-servers.ts';

overServers(modelContract);
