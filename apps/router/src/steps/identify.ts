import { UspError } from '@highline/usp';
import { syncCommand } from '../model/definition.ts';

const SECONDS = { least: 5, most: 300 };

/** Device.X_HIGHLINE_Identify(): blinks its lamps for this long, so that the router can be found among others. */
export const identify = syncCommand(['Seconds'], ({ router, args }) => {
  const text = args.get('Seconds') ?? '';
  const seconds = /^\d{1,3}$/u.test(text) ? Number(text) : 0;
  if (seconds < SECONDS.least || seconds > SECONDS.most)
    return rejected(UspError.invalidCommandArguments, `Seconds must be from ${SECONDS.least} to ${SECONDS.most}`);
  const { lamps } = router.platform;
  if (lamps === undefined) return rejected(UspError.commandFailure, 'this router has no lamps');
  lamps.blink(seconds);
  return undefined;
});

function rejected(errCode: typeof UspError.commandFailure | typeof UspError.invalidCommandArguments, errMsg: string) {
  return { type: 'cmd_failure' as const, errCode, errMsg };
}
