import { overServers } from '../http/over-servers.ts';
import { retentionContract } from './retention.contract.ts';

overServers(retentionContract);
