import type { OperationResult, UspBody } from '@highline/usp';
import type { TestController } from './controller.ts';

export const SIM = 'Device.TrustedElements.SIM.1.';

/** An activation code with `matchingId`. */
export const codeOf = (matchingId: string) => `LPA:1$smdp.vodafone.example$${matchingId}`;

/** The cloud's side of eSIM commands, for one router. */
export class EsimCloud {
  readonly #controller: TestController;
  readonly #eid: string;

  constructor(controller: TestController, eid: string) {
    this.#controller = controller;
    this.#eid = eid;
  }

  async operate(command: string, commandKey: string, args: Readonly<Record<string, string>> = {}): Promise<OperationResult> {
    const inputArgs = new Map(Object.entries(args));
    const request = { type: 'operate', command, commandKey, sendResp: true, inputArgs } as const;
    return (await this.#controller.request(this.#eid, request)).operationResults[0]!.result;
  }

  download(key: string, matchingId: string, more: Readonly<Record<string, string>> = {}): Promise<OperationResult> {
    return this.operate(`${SIM}X_HIGHLINE_DownloadProfile()`, key, { ActivationCode: codeOf(matchingId), APN: 'iot', ...more });
  }

  enable(key: string, profile: number): Promise<OperationResult> {
    return this.operate(`${SIM}Profile.${profile}.X_HIGHLINE_Enable()`, key);
  }

  delete(key: string, profile: number): Promise<OperationResult> {
    return this.operate(`${SIM}Profile.${profile}.X_HIGHLINE_Delete()`, key);
  }

  set(objPath: string, settings: Readonly<Record<string, string>>): Promise<UspBody> {
    const paramSettings = Object.entries(settings).map(([param, value]) => ({ param, value, required: true }));
    return this.#controller.requestAny(this.#eid, { type: 'set', allowPartial: false, updateObjs: [{ objPath, paramSettings }] });
  }

  /** How the command of a key ended, each time it was reported: its failure, or its outputs. */
  ends(key: string): (string | Record<string, string>)[] {
    return this.#controller.received.flatMap(({ notification: reported }): (string | Record<string, string>)[] => {
      if (reported.type !== 'oper_complete' || reported.commandKey !== key) return [];
      return reported.result.type === 'cmd_failure' ? [reported.result.errMsg] : [Object.fromEntries(reported.result.outputArgs)];
    });
  }

  async endOf(key: string): Promise<string | Record<string, string> | undefined> {
    await this.#controller.until(() => this.ends(key).length > 0);
    return this.ends(key)[0];
  }

  /** All parameters below a path, by the rest of the path. */
  async read(path: string): Promise<Record<string, string>> {
    const { reqPathResults } = await this.#controller.request(this.#eid, { type: 'get', paramPaths: [path], maxDepth: 0 });
    const values = reqPathResults.flatMap(({ resolvedPathResults }) =>
      resolvedPathResults.flatMap(({ resolvedPath, resultParams }) =>
        Array.from(resultParams, ([name, value]) => [(resolvedPath + name).slice(path.length), value] as const),
      ),
    );
    return Object.fromEntries(values);
  }

  /** Wait for the n-th connection and send a request to the router, which counts as calling home. */
  async expectContact(connection: number): Promise<void> {
    await this.#controller.until(() => this.#controller.connects.filter((eid) => eid === this.#eid).length >= connection);
    await this.read('Device.RootDataModelVersion');
  }
}
