import { retentionContract } from './retention.contract.ts';

retentionContract('the data folder');
