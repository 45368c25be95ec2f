import type { IndependentValue } from '@highline/testkit/codec';
import { TestAgent, type AgentRequest } from './agent.ts';

/** A received command. */
export interface Operation {
  readonly command: string;
  readonly key: string;
  readonly args: Readonly<Record<string, string>>;
}

export interface UpdatingRouterOptions {
  /** ws://host:port */
  readonly server: string;
  readonly secret: string;
  readonly endpointId: string;
  readonly model?: string;
  readonly firmware?: string;
  /** Supported commands; default: both. */
  readonly commands?: readonly ('firmware' | 'config' | 'esim')[];
  /** Additional reported values, by full path. */
  readonly values?: Readonly<Record<string, string>>;
  /** Reports that it installs no firmware without a trusted signature. */
  readonly checksSignature?: boolean;
  /** How it answers Operate; by default the command runs. */
  readonly onOperate?: (operation: Operation) => 'running' | 'silent' | { readonly code: number; readonly message: string };
  /** Whether it leaves a Set or Delete of this object without an answer, and does not apply it. */
  readonly ignoresWrite?: (path: string) => boolean;
  /** Whether it rejects a Set of this value. */
  readonly rejectsValue?: (value: string) => boolean;
  /** Rejects each Set of several objects. */
  readonly takesOneObject?: boolean;
}

const INFO = 'Device.DeviceInfo.';
const SIMS = 'Device.TrustedElements.SIM.';

/**
 * A scripted router with two firmware slots and a config file. It does nothing by itself, and reports what the test instructs,
 * true or false. Its state outlives its connections.
 */
export class UpdatingRouter {
  readonly operations: Operation[] = [];
  readonly values: Map<string, string>;
  readonly #options: UpdatingRouterOptions;
  #server: string;
  #bootedAt = Date.now();
  #messages = 0;
  #agent: TestAgent | undefined;

  constructor(options: UpdatingRouterOptions) {
    this.#options = options;
    this.#server = options.server;
    const { model = 'HL-R320', firmware = '1.0.0', checksSignature = false, values = {} } = options;
    this.values = new Map([
      [`${INFO}ModelName`, model],
      [`${INFO}SoftwareVersion`, firmware],
      [`${INFO}ActiveFirmwareImage`, `${INFO}FirmwareImage.1`],
      [`${INFO}BootFirmwareImage`, `${INFO}FirmwareImage.1`],
      [`${INFO}FirmwareImage.1.Status`, 'Active'],
      [`${INFO}FirmwareImage.2.Status`, 'Available'],
      [`${INFO}VendorConfigFile.1.Name`, ''],
      ['Device.LocalAgent.Controller.1.EndpointID', 'self::highline'],
      ['Device.LocalAgent.Controller.1.PeriodicNotifInterval', '60'],
      ...(checksSignature ? [[`${INFO}X_HIGHLINE_ImageSignature`, 'required'] as const] : []),
      ...Object.entries(values),
    ]);
  }

  /** Connect, to another address if one is given. */
  async connect(server = this.#server): Promise<void> {
    this.#server = server;
    const { secret, endpointId } = this.#options;
    const uptime = String(Math.floor((Date.now() - this.#bootedAt) / 1_000));
    const agent = new TestAgent({
      server,
      secret,
      endpointId,
      model: new Map([...this.values, [`${INFO}UpTime`, uptime]]),
      tables: ['Device.LocalAgent.Subscription.'],
      respond: (connection, request) => this.#respond(connection, request),
    });
    this.#agent = agent;
    await agent.opened();
  }

  /** Resolves when the current connection has ended. */
  async closed(): Promise<void> {
    await this.#agent?.closed;
  }

  /** Disconnect without a close. */
  cut(): void {
    this.#agent?.cut();
  }

  /** Restart, with another firmware if one is given, and report it. @param key of the command that caused it */
  async boot(firmware?: string, key?: string): Promise<void> {
    this.cut();
    this.#bootedAt = Date.now();
    if (firmware !== undefined) this.values.set(`${INFO}SoftwareVersion`, firmware);
    await this.connect();
    await this.#delivered((agent, id) =>
      agent.event(id, 'Device.', 'Boot!', { Cause: 'LocalReboot', ...(key === undefined ? {} : { CommandKey: key }) }),
    );
  }

  /** Report the end of a command. Resolves when the server has acknowledged it. */
  async complete(
    { key, command }: Operation,
    failure?: { readonly code?: number; readonly message: string },
    outputArgs: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const dot = command.lastIndexOf('.') + 1;
    const one =
      failure === undefined
        ? { case: 'reqOutputArgs', value: { outputArgs } }
        : { case: 'cmdFailure', value: { errCode: failure.code ?? 7022, errMsg: failure.message } };
    const value = { objPath: command.slice(0, dot), commandName: command.slice(dot), commandKey: key, one };
    await this.#delivered((agent, id) => agent.notify(id, 'operComplete', value));
  }

  /** Report that the file of a command has arrived, like an agent that does not report the end of the command. */
  async transferred({ key, command }: Operation, fault?: string): Promise<void> {
    const params = { Command: command, CommandKey: key, FaultCode: fault === undefined ? '0' : '7022', FaultString: fault ?? '' };
    await this.#delivered((agent, id) => agent.event(id, 'Device.LocalAgent.', 'TransferComplete!', params));
  }

  /** Report that a parameter changed. */
  async changed(path: string, paramValue: string): Promise<void> {
    await this.#delivered((agent, id) => agent.notify(id, 'valueChange', { paramPath: path, paramValue }));
  }

  /** A value on the current connection, including settings by the server. */
  valueOf(path: string): string | undefined {
    return this.#agent?.model.get(path) ?? this.values.get(path);
  }

  /** Change the reported value from now on, on this connection too. */
  set(path: string, value: string): void {
    this.values.set(path, value);
    this.#agent?.model.set(path, value);
  }

  async #delivered(deliver: (agent: TestAgent, msgId: string) => void): Promise<void> {
    const agent = this.#agent!;
    const msgId = `recipient-${++this.#messages}`;
    deliver(agent, msgId);
    await agent.whenResponded(msgId);
  }

  #respond(agent: TestAgent, { msgId, type, value }: AgentRequest): boolean {
    if (type === 'getSupportedDm')
      agent.sendMessage(msgId, 'GET_SUPPORTED_DM_RESP', 'response', 'getSupportedDmResp', this.#supported());
    else if (type === 'operate') this.#operate(agent, msgId, value);
    else if (this.#options.takesOneObject === true && pathsOf(value).length > 1)
      agent.sendMessage(msgId, 'ERROR', 'error', undefined, { errCode: 7004, errMsg: 'one object at a time' });
    else if (valuesOf(value).some((each) => this.#options.rejectsValue?.(each) === true))
      agent.sendMessage(msgId, 'ERROR', 'error', undefined, { errCode: 7012, errMsg: 'not this value' });
    else return pathsOf(value).some((path) => this.#options.ignoresWrite?.(path) === true);
    return true;
  }

  #supported(): IndependentValue {
    const { commands = ['firmware', 'config'] } = this.#options;
    const command = (name: string) => ({ commandName: name, commandType: 2 });
    const objects = [
      { supportedObjPath: INFO, supportedParams: [{ paramName: 'BootFirmwareImage', access: 1 }] },
      {
        supportedObjPath: `${INFO}FirmwareImage.{i}.`,
        supportedCommands: commands.includes('firmware') ? [command('Download()'), command('Activate()')] : [],
      },
      {
        supportedObjPath: `${INFO}VendorConfigFile.{i}.`,
        supportedCommands: commands.includes('config') ? [command('Restore()')] : [],
      },
      {
        supportedObjPath: `${SIMS}{i}.`,
        supportedCommands: commands.includes('esim') ? [command('X_HIGHLINE_DownloadProfile()')] : [],
      },
      {
        supportedObjPath: `${SIMS}{i}.Profile.{i}.`,
        supportedCommands: commands.includes('esim') ? [command('X_HIGHLINE_Enable()'), command('X_HIGHLINE_Delete()')] : [],
      },
    ];
    return { reqObjResults: [{ reqObjPath: INFO, supportedObjs: objects }] };
  }

  #operate(agent: TestAgent, msgId: string, value: IndependentValue): void {
    const { command, commandKey, inputArgs } = value as {
      command: string;
      commandKey: string;
      inputArgs: Record<string, string>;
    };
    const operation = { command, key: commandKey, args: inputArgs };
    const response = this.#options.onOperate?.(operation) ?? 'running';
    this.operations.push(operation);
    if (response === 'silent') return;
    const one =
      response === 'running'
        ? { case: 'reqObjPath', value: 'Device.LocalAgent.Request.1' }
        : { case: 'cmdFailure', value: { errCode: response.code, errMsg: response.message } };
    agent.sendMessage(msgId, 'OPERATE_RESP', 'response', 'operateResp', {
      operationResults: [{ executedCommand: command, one }],
    });
  }
}

/** Values of a Set. */
function valuesOf({ updateObjs = [] }: IndependentValue): readonly string[] {
  const all = updateObjs as { paramSettings?: { value: string }[] }[];
  return all.flatMap(({ paramSettings = [] }) => paramSettings.map(({ value }) => value));
}

/** Objects of a Set or Delete. */
function pathsOf({ updateObjs = [], objPaths = [] }: IndependentValue): readonly string[] {
  return [...(updateObjs as { objPath: string }[]).map(({ objPath }) => objPath), ...(objPaths as string[])];
}

/** Download the file of a command, like a router does. */
export function fetchDownload(
  { args }: Operation,
  headers: Readonly<Record<string, string>> = {},
  credentials = `${args['Username']}:${args['Password']}`,
): Promise<Response> {
  return fetch(args['URL']!, { headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, ...headers } });
}
