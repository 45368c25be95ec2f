import { once } from 'node:events';
import type { IndependentValue } from './codec.ts';
import { BulkData } from './bulk-data.ts';
import { Connection } from './connection.ts';
import type { BootReason, Disk } from './disk.ts';
import { Code, tryFor, UspFault } from './errors.ts';
import { Jobs } from './jobs.ts';
import type { Message } from './messages/message.ts';
import { invocationsOf, operationResult, type Invocation } from './messages/operate.ts';
import { respondToGet, respondToGetInstances, respondToGetSupportedDm } from './messages/read.ts';
import { respondToAdd, respondToDelete, respondToSet, RejectedRequest, type Changes } from './messages/write.ts';
import type { DataModel } from './model/data-model.ts';
import { ownController } from './model/factory.ts';
import { Notifier, type Notification } from './notifier.ts';
import type { AgentEvent } from './events.ts';
import type { Traits } from './traits.ts';

const INFO = 'Device.DeviceInfo.';
/** Longest wait for answers to notifications before a planned restart. */
const GOODBYE_MS = 2_000;

export interface LifeOptions {
  readonly traits: Traits;
  readonly disk: Disk;
  readonly model: DataModel;
  readonly boot: BootReason;
  hasStalled: boolean;
  /** Start again; `isReset`: from factory state. */
  restart(reason: BootReason, isReset: boolean): void;
  emit(event: AgentEvent): void;
}

/** Action to run after a request was answered. */
type After = () => void;

/** The agent's software from one start to the next. */
export class Life {
  readonly #options: LifeOptions;
  readonly #connection: Connection;
  readonly #notifier: Notifier;
  readonly #bulkData: BulkData;
  readonly #jobs: Jobs;
  readonly #startedAt = Date.now();
  #bootTimer: NodeJS.Timeout | undefined;
  #periodic: NodeJS.Timeout | undefined;
  #periodicSeconds = 0;
  #isResponding = false;
  #isOver = false;
  #hasStarted = false;

  constructor(options: LifeOptions) {
    const { traits, model, disk } = options;
    this.#options = options;
    this.#connection = this.#createConnection();
    const isConnected = () => this.#connection.isConnected;
    this.#notifier = new Notifier({
      model,
      controller: this.#controller,
      retryMs: traits.notifyRetryMs,
      isConnected,
      send: (msgId, notify) => this.#connection.send({ kind: 'request', msgId, name: 'notify', value: notify }),
    });
    this.#bulkData = new BulkData({ model, isConnected, push: (profile, data) => this.#push(profile, data) });
    this.#jobs = new Jobs({
      traits,
      model,
      disk,
      save: () => this.#save(),
      change: (path, value) => this.change(path, value),
      notify: (notification) => this.#notifier.notify(notification),
      activate: () => void this.#restartWhenAcknowledged(),
      received: (bytes, signal) => this.#stall(bytes, signal),
    });
    model.live.set(`${INFO}UpTime`, () => String(Math.floor((Date.now() - this.#startedAt) / 1_000)));
    model.live.set('Device.Time.CurrentLocalTime', () => new Date().toISOString());
  }

  get isConnected(): boolean {
    return this.#connection.isConnected;
  }

  /** Notifications that the controller has not answered. */
  get unacknowledged(): number {
    return this.#notifier.unacknowledged;
  }

  begin(): void {
    this.#save();
    this.#bulkData.update();
    this.#updatePeriodic();
    this.#bootTimer = setTimeout(() => this.#connection.open(), this.#options.traits.bootMs);
  }

  /** Stop everything; nothing is sent or written any more. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#bootTimer);
    clearInterval(this.#periodic);
    this.#bulkData.stop();
    this.#notifier.stop();
    this.#jobs.stop();
    this.#connection.drop();
  }

  loseCoverage(): void {
    this.#connection.loseCoverage();
  }

  regainCoverage(): void {
    this.#connection.regainCoverage();
  }

  /** Change a value of the agent itself. */
  change(path: string, value: string): void {
    const { model } = this.#options;
    if (model.value(path) === value) return;
    // Another SIM: its bytes are those between the report after this and the next such report.
    const isSwitch = path.endsWith('.ICCID');
    if (isSwitch) this.#bulkData.collectAll();
    model.write(path, value);
    if (isSwitch) this.#bulkData.collectAll();
    this.#save();
    const member = { case: 'valueChange', value: { paramPath: path, paramValue: model.value(path) } };
    this.#notifier.notify({ type: 'ValueChange', path, member });
  }

  /** Delete an object of the agent itself, with what is below it. */
  remove(path: string): void {
    const { model } = this.#options;
    model.remove(path);
    this.#save();
    this.#notifyChanges({ created: [], deleted: [path], written: [] }, model);
  }

  get #controller(): string {
    return ownController(this.#options.model, this.#options.traits.controllerId);
  }

  #createConnection(): Connection {
    const { traits, model, emit } = this.#options;
    const { server, secret, endpointId, controllerId, protocolVersions, reconnectMs } = traits;
    const mtp = `${this.#controller}.MTP.1.WebSocket.`;
    const number = (name: string) => Number(model.value(mtp + name));
    return new Connection({
      server,
      secret,
      endpointId,
      controllerId,
      version: protocolVersions.split(',')[0] ?? '',
      keepAliveMs: () => number('KeepAliveInterval') * 1_000,
      retryMs: (failures) => {
        const least = reconnectMs ?? number('SessionRetryMinimumWaitInterval') * 1_000;
        return least * (number('SessionRetryIntervalMultiplier') / 1_000) ** Math.min(failures, 9) * (0.5 + Math.random() / 2);
      },
      connected: () => this.#connected(),
      disconnected: (reason) => emit({ event: 'disconnected', reason }),
      received: (message) => this.#received(message),
    });
  }

  #connected(): void {
    this.#options.emit({ event: 'connected' });
    this.#notifier.connected();
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#notifyBoot();
    this.#jobs.failInterrupted();
  }

  #notifyBoot(): void {
    const { cause, commandKey, isFirmwareUpdated } = this.#options.boot;
    const params = { Cause: cause, CommandKey: commandKey, FirmwareUpdated: String(isFirmwareUpdated), ParameterMap: '{}' };
    const value = { objPath: 'Device.', eventName: 'Boot!', params };
    this.#notifier.notify({ type: 'Event', path: 'Device.Boot!', member: { case: 'event', value } });
  }

  #push(profile: string, data: string): void {
    const value = { objPath: profile, eventName: 'Push!', params: { Data: data } };
    this.#notifier.notify({ type: 'Event', path: `${profile}Push!`, member: { case: 'event', value } });
  }

  #updatePeriodic(): void {
    const seconds = Number(this.#options.model.value(`${this.#controller}.PeriodicNotifInterval`));
    if (seconds === this.#periodicSeconds) return;
    this.#periodicSeconds = seconds;
    clearInterval(this.#periodic);
    const value = { objPath: 'Device.LocalAgent.', eventName: 'Periodic!', params: {} };
    const notification: Notification = { type: 'Event', path: 'Device.LocalAgent.Periodic!', member: { case: 'event', value } };
    // Timers of Node reach 24 days; a longer interval is ignored.
    if (seconds < 2_000_000) this.#periodic = setInterval(() => this.#notifier.notify(notification), seconds * 1_000);
  }

  #received(message: Message): void {
    if (this.#isOver) return;
    if (message.kind === 'request') this.#take(message);
    else if (message.name === 'notifyResp') this.#notifier.responded(message.msgId);
  }

  /** One request at a time: agents in the field stall on a second one, which is recorded and left unanswered. */
  #take(message: Message): void {
    const { emit } = this.#options;
    if (this.#isResponding) {
      emit({ event: 'overlap', name: message.name });
      return;
    }
    this.#isResponding = true;
    emit({ event: 'request', name: message.name, value: message.value });
    setImmediate(() => {
      this.#isResponding = false;
      if (!this.#isOver) this.#respond(message);
    });
  }

  #respond({ msgId, name, value }: Message): void {
    const after: After[] = [];
    const response = this.#respondTo(name, value, after);
    const sendsResponse = name !== 'operate' || value['sendResp'] === true;
    if (response instanceof RejectedRequest || response instanceof UspFault) {
      const [errCode, paramErrs] =
        response instanceof UspFault ? [response.code, []] : [Code.invalidArguments, response.paramErrs];
      this.#options.emit({ event: 'rejected', name, errors: paramErrs });
      this.#connection.send({ kind: 'error', msgId, name: 'error', value: { errCode, errMsg: response.message, paramErrs } });
    } else if (sendsResponse) this.#connection.send({ kind: 'response', msgId, name: `${name}Resp`, value: response });
    for (const work of after) work();
  }

  #respondTo(name: string, value: IndependentValue, after: After[]): IndependentValue | RejectedRequest | UspFault {
    const { model, traits } = this.#options;
    switch (name) {
      case 'get':
        return respondToGet(model, value);
      case 'getInstances':
        return respondToGetInstances(model, value);
      case 'getSupportedDm':
        return respondToGetSupportedDm(model, value);
      case 'getSupportedProtocol':
        return { agentSupportedProtocolVersions: traits.protocolVersions };
      case 'add':
        return this.#write((changes) => respondToAdd(model, value, { ...traits, recipient: this.#controller }, changes));
      case 'set':
        return this.#write((changes) => respondToSet(model, value, changes, traits));
      case 'delete':
        return this.#write((changes) => respondToDelete(model, value, changes));
      case 'operate':
        return this.#operate(value, after);
      default:
        return new UspFault(Code.messageNotSupported, `${name} is not supported`);
    }
  }

  #write(work: (changes: Changes) => IndependentValue): IndependentValue | RejectedRequest {
    const { model } = this.#options;
    const changes: Changes = { created: [], deleted: [], written: [] };
    try {
      const response = work(changes);
      this.#save();
      this.#bulkData.update();
      this.#updatePeriodic();
      this.#notifyChanges(changes, model);
      return response;
    } catch (error) {
      if (error instanceof RejectedRequest) return error;
      throw error;
    }
  }

  #notifyChanges({ created, deleted, written }: Changes, model: DataModel): void {
    for (const path of created) {
      const member = { case: 'objCreation', value: { objPath: path, uniqueKeys: model.uniqueKeysOf(path) } };
      this.#notifier.notify({ type: 'ObjectCreation', path, member });
    }
    for (const path of deleted)
      this.#notifier.notify({ type: 'ObjectDeletion', path, member: { case: 'objDeletion', value: { objPath: path } } });
    for (const path of written) {
      const member = { case: 'valueChange', value: { paramPath: path, paramValue: model.value(path) } };
      this.#notifier.notify({ type: 'ValueChange', path, member });
    }
  }

  #operate(value: IndependentValue, after: After[]): IndependentValue | RejectedRequest {
    const { model, traits, emit } = this.#options;
    const command = value['command'] as string;
    const invocations = tryFor(() => invocationsOf(model, value));
    if (invocations instanceof UspFault) {
      const { code: errCode, message: errMsg } = invocations;
      emit({ event: 'rejected', name: command, errors: [{ errCode, errMsg }] });
      if (traits.rejectsCommandsBy === 'error') return new RejectedRequest([{ paramPath: command, errCode, errMsg }]);
      return { operationResults: [operationResult(command, invocations)] };
    }
    const operationResults = invocations.map((invocation) => {
      const outcome = tryFor(() => this.#invoke(invocation, after));
      return operationResult(invocation.objectPath + invocation.name, outcome);
    });
    this.#save();
    return { operationResults };
  }

  #invoke(invocation: Invocation, after: After[]): string | Record<string, string> {
    const { emit, restart } = this.#options;
    const { name, objectPath, commandKey, type } = invocation;
    emit({ event: 'command', command: objectPath + name, args: invocation.args });
    if (type === 'async') {
      const request = this.#jobs.begin(invocation);
      after.push(() => this.#jobs.run(request, invocation));
      return request;
    }
    if (name === 'Reboot()') after.push(() => restart({ cause: 'RemoteReboot', commandKey, isFirmwareUpdated: false }, false));
    if (name === 'FactoryReset()')
      after.push(() => restart({ cause: 'RemoteFactoryReset', commandKey, isFirmwareUpdated: false }, true));
    if (name === 'Cancel()') after.push(() => this.#jobs.cancel(objectPath));
    return {};
  }

  async #restartWhenAcknowledged(): Promise<void> {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
    await Promise.race([this.#notifier.allResponded(), limit]);
    if (!this.#isOver) this.#options.restart({ cause: 'LocalReboot', commandKey: '', isFirmwareUpdated: true }, false);
  }

  async #stall(bytes: number, signal: AbortSignal): Promise<void> {
    const { traits, emit } = this.#options;
    if (traits.stallAfterBytes === undefined || bytes < traits.stallAfterBytes || this.#options.hasStalled) return;
    this.#options.hasStalled = true;
    this.#save();
    emit({ event: 'stalled', bytes });
    // Until the power is cut; the transfer after the next start does not stall.
    await once(signal, 'abort');
    signal.throwIfAborted();
  }

  #save(): void {
    const { disk, model, hasStalled } = this.#options;
    if (!this.#isOver) disk.save({ model: model.state(), hasStalled });
  }
}
