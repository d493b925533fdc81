import { asOfContract } from './as-of.contract.ts';
import { overServers } from './over-servers.ts';

overServers(asOfContract);
