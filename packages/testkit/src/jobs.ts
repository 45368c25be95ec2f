import { existsSync, readFileSync } from 'node:fs';
import { Code, UspFault } from './errors.ts';
import { runDownloadTest, runIpPing } from './diagnostics.ts';
import type { Disk } from './disk.ts';
import type { Invocation } from './messages/operate.ts';
import type { DataModel } from './model/data-model.ts';
import type { Notification } from './notifier.ts';
import type { Traits } from './traits.ts';
import { fetchFile, sendFile, TransferFault } from './transfer.ts';

const INFO = 'Device.DeviceInfo.';
const REQUESTS = 'Device.LocalAgent.Request.';
/** Header of an image of this maker: its version follows on the same line. */
const IMAGE_HEADER = /^STRICT-IMAGE (\S{1,40})\n/u;

export interface JobsOptions {
  readonly traits: Traits;
  readonly model: DataModel;
  readonly disk: Disk;
  /** Write the state to the disk. */
  save(): void;
  /** Write a value and notify subscribers of its change. */
  change(path: string, value: string): void;
  notify(notification: Notification): void;
  /** Run the image that the data model names for the next boot. */
  activate(): void;
  /** Wait here if the traits let a transfer stall. */
  received(bytes: number, signal: AbortSignal): Promise<void>;
}

/** Asynchronous commands: one row of Device.LocalAgent.Request. each, from the command to its OperationComplete. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** @returns path of the request @throws UspFault 7005 while another transfer runs, 7022 when it cannot begin */
  begin(invocation: Invocation): string {
    const { model, traits } = this.#options;
    if (traits.rejectsTransfers) throw new UspFault(Code.commandFailure, 'the storage is locked');
    if (this.#running.size > 0) throw new UspFault(Code.resourcesExceeded, 'another transfer is running');
    if (invocation.objectPath === this.#activeImage)
      throw new UspFault(Code.commandFailure, 'the image that is running cannot be written');
    const path = model.create(REQUESTS);
    const { objectPath, name, commandKey } = invocation;
    const values = { Originator: traits.controllerId, Command: objectPath + name, CommandKey: commandKey, Status: 'Active' };
    for (const [parameter, value] of Object.entries(values)) model.write(path + parameter, value);
    this.#running.set(path, new AbortController());
    return path;
  }

  /** Run a started command, once its request is answered. */
  run(request: string, invocation: Invocation): void {
    const signal = this.#running.get(request)!.signal;
    const startedAt = new Date();
    this.#execute(invocation, signal).then(
      (outputs) => this.#end(request, invocation, startedAt, undefined, outputs),
      (error: unknown) => {
        // After a power cut, no end is reported.
        if (signal.aborted && signal.reason === 'power') return;
        const isCanceled = signal.aborted;
        const fault = isCanceled ? new UspFault(Code.commandCanceled, 'canceled by the controller') : faultOf(error);
        if (invocation.name === 'Download()') this.#setStatus(invocation.objectPath, statusOf(error));
        this.#end(request, invocation, startedAt, fault);
      },
    );
  }

  /** Request.{i}.Cancel(). */
  cancel(request: string): void {
    this.#running.get(request)?.abort('cancel');
  }

  /** The power is gone. */
  stop(): void {
    for (const controller of this.#running.values()) controller.abort('power');
  }

  /** After a start: interrupted commands have failed (TR-369 7022, "did not complete before reboot"). */
  failInterrupted(): void {
    const { model } = this.#options;
    for (const request of model.instances(REQUESTS)) {
      const command = model.value(`${request}Command`) ?? '';
      const dot = command.lastIndexOf('.') + 1;
      const [objectPath, name] = [command.slice(0, dot), command.slice(dot)];
      const commandKey = model.value(`${request}CommandKey`) ?? '';
      if (name === 'Download()') this.#setStatus(objectPath, 'DownloadFailed');
      const fault = new UspFault(Code.commandFailure, 'The operation did not complete before reboot');
      this.#end(request, { objectPath, name, type: 'async', commandKey, args: {} }, new Date(), fault);
    }
  }

  get #activeImage(): string {
    return `${this.#options.model.value(`${INFO}ActiveFirmwareImage`)}.`;
  }

  /** @returns output arguments */
  async #execute(invocation: Invocation, signal: AbortSignal): Promise<Record<string, string>> {
    if (invocation.name === 'IPPing()') return runIpPing(invocation.args, signal);
    if (invocation.name === 'DownloadDiagnostics()') return runDownloadTest(invocation.args, signal);
    if (invocation.name === 'Download()') await this.#download(invocation, signal);
    else if (invocation.name === 'Restore()') await this.#restore(invocation, signal);
    else if (invocation.name === 'Backup()') await this.#backUp(invocation, signal);
    else this.#activateImage(invocation.objectPath);
    return {};
  }

  async #download({ objectPath, args }: Invocation, signal: AbortSignal): Promise<void> {
    const { disk, model, change, received } = this.#options;
    const file = fileOf(objectPath);
    this.#setStatus(objectPath, 'Downloading');
    const validating = () => this.#setStatus(objectPath, 'Validating');
    await fetchFile({ args, part: disk.pathOf(`${file}.part`), target: disk.pathOf(file), signal, received, validating });
    const version = IMAGE_HEADER.exec(readFileSync(disk.pathOf(file)).subarray(0, 100).toString('latin1'))?.[1];
    if (version === undefined) throw new TransferFault('ValidationFailed', 'the file is not an image for this router');
    change(`${objectPath}Version`, version);
    model.write(`${objectPath}Name`, version);
    model.write(`${objectPath}Available`, 'true');
    this.#setStatus(objectPath, 'Available');
    if (args['AutoActivate'] === 'true' || args['AutoActivate'] === '1') this.#activateImage(objectPath);
  }

  async #restore({ objectPath, args }: Invocation, signal: AbortSignal): Promise<void> {
    const { disk, model, traits, change, received } = this.#options;
    const file = fileOf(objectPath);
    const target = disk.pathOf(file);
    await fetchFile({ args, part: disk.pathOf(`${file}.part`), target, signal, received, validating: () => {} });
    const name = args['TargetFileName'] ?? '';
    if (name !== '') change(`${objectPath}Name`, name);
    model.write(`${objectPath}Date`, new Date().toISOString());
    change(`${objectPath}Version`, traits.restoredVersion);
  }

  /** Upload the file that was restored last, or the one as delivered. */
  async #backUp({ objectPath, args }: Invocation, signal: AbortSignal): Promise<void> {
    const { disk, model } = this.#options;
    const path = disk.pathOf(fileOf(objectPath));
    const name = model.value(`${objectPath}Name`) ?? '';
    await sendFile(args, existsSync(path) ? readFileSync(path) : Buffer.from(`<config name="${name}"/>\n`), signal);
  }

  #activateImage(objectPath: string): void {
    const { model } = this.#options;
    if (model.value(`${objectPath}Status`) !== 'Available')
      throw new UspFault(Code.commandFailure, 'there is no image to activate');
    model.write(`${INFO}BootFirmwareImage`, objectPath.slice(0, -1));
  }

  #setStatus(objectPath: string, status: string): void {
    this.#options.change(`${objectPath}Status`, status);
  }

  #end(request: string, invocation: Invocation, startedAt: Date, fault?: UspFault, outputs: Record<string, string> = {}): void {
    const { model, save, notify, activate } = this.#options;
    this.#running.delete(request);
    model.remove(request);
    save();
    if (this.#isTransfer(invocation.name)) this.#notifyTransfer(invocation, startedAt, fault);
    notify(completion(invocation, fault, outputs));
    const isReady = model.value(`${INFO}BootFirmwareImage`) === invocation.objectPath.slice(0, -1);
    const activates = invocation.name === 'Activate()' || invocation.args['AutoActivate'] === 'true';
    if (fault === undefined && isReady && activates) activate();
  }

  #isTransfer(name: string): boolean {
    return this.#options.traits.hasTransferEvents && (name === 'Download()' || name === 'Restore()');
  }

  #notifyTransfer({ objectPath, name, commandKey, args }: Invocation, startedAt: Date, fault: UspFault | undefined): void {
    const params = {
      Command: objectPath + name,
      CommandKey: commandKey,
      Requestor: this.#options.traits.controllerId,
      TransferType: 'Download',
      Affected: objectPath,
      TransferURL: args['URL'] ?? '',
      StartTime: startedAt.toISOString(),
      CompleteTime: new Date().toISOString(),
      FaultCode: String(fault?.code ?? 0),
      FaultString: fault?.message ?? '',
    };
    const value = { objPath: 'Device.LocalAgent.', eventName: 'TransferComplete!', params };
    this.#options.notify({ type: 'Event', path: 'Device.LocalAgent.TransferComplete!', member: { case: 'event', value } });
  }
}

function completion(
  { objectPath, name, commandKey }: Invocation,
  fault: UspFault | undefined,
  outputArgs: Record<string, string>,
): Notification {
  const one =
    fault === undefined
      ? { case: 'reqOutputArgs', value: { outputArgs } }
      : { case: 'cmdFailure', value: { errCode: fault.code, errMsg: fault.message } };
  const value = { objPath: objectPath, commandName: name, commandKey, one };
  return { type: 'OperationComplete', path: objectPath + name, member: { case: 'operComplete', value } };
}

/** `Device.DeviceInfo.FirmwareImage.2.` → `FirmwareImage.2` */
function fileOf(objectPath: string): string {
  return objectPath.slice(INFO.length, -1);
}

function faultOf(error: unknown): UspFault {
  return error instanceof UspFault ? error : new UspFault(Code.internalError, String(error));
}

function statusOf(error: unknown): string {
  return error instanceof TransferFault ? error.status : 'DownloadFailed';
}
