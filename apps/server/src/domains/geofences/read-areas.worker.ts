// A separate thread: the longest text takes a second.
import { parentPort, workerData } from 'node:worker_threads';
import { checkedAreas } from './checked-areas.ts';

parentPort!.postMessage(checkedAreas(workerData as string), []);
