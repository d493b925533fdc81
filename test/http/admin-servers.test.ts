import { administrationContract } from './admin.contract.ts';
import { overServers } from './over-servers.ts';

overServers(administrationContract);
