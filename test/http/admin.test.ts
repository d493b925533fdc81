import { administrationContract } from './admin.contract.ts';

administrationContract('the data folder');
