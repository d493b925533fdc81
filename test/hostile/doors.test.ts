import { hostileDoors } from './doors.contract.ts';

hostileDoors('the data folder', () => ({}), { random: true });
