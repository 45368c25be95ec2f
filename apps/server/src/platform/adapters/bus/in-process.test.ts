import { busContract } from '../../../testing/bus-contract.ts';
import { silentLog } from '../../../testing/log.ts';
import { BusHub, createInProcessBus } from './in-process.ts';

const hub = new BusHub();
busContract('in one process', async () => createInProcessBus(silentLog, hub));
