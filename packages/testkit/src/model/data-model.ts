import { UspFault, Code } from '../errors.ts';
import { isOfType, type ObjectDefinition, type ParameterDefinition, type SupportedModel } from './definition.ts';

/** Stored state of a data model. */
export interface ModelState {
  readonly values: readonly (readonly [path: string, value: string])[];
  readonly objects: readonly string[];
  readonly lastInstances: readonly (readonly [table: string, instance: number])[];
}

/** The instantiated data model: the existing objects, and the values of their parameters by full path. */
export class DataModel {
  readonly supported: SupportedModel;
  /** Values computed on reading, by full path. */
  readonly live = new Map<string, (stored?: string) => string>();
  #values = new Map<string, string>();
  #objects = new Set<string>();
  #lastInstances = new Map<string, number>();

  constructor(supported: SupportedModel, state?: ModelState) {
    this.supported = supported;
    if (state === undefined) this.#createSingles('');
    else this.restore(state);
  }

  /** Definition of an object, a table or an instance; undefined when unsupported. */
  definitionOf(path: string): ObjectDefinition | undefined {
    return this.supported.get(templateOf(path));
  }

  has(objectPath: string): boolean {
    return this.#objects.has(objectPath);
  }

  value(path: string): string | undefined {
    return this.live.get(path)?.(this.#values.get(path)) ?? this.#values.get(path);
  }

  /** What a controller reads of a parameter: nothing of a hidden one. */
  reading(path: string): string {
    return this.parameterOf(path).isHidden === true ? '' : (this.value(path) ?? '');
  }

  /** Existing objects at and below a path, parents first. */
  objectsBelow(path: string): string[] {
    return [...this.#objects].filter((each) => each.startsWith(path));
  }

  /** Paths of a table's instances by number. @param table path with its final dot, such as `Device.BulkData.Profile.` */
  instances(table: string): string[] {
    const direct = [...this.#objects].filter((path) => path.startsWith(table) && /^\d+\.$/u.test(path.slice(table.length)));
    return direct.toSorted((a, b) => Number.parseInt(a.slice(table.length), 10) - Number.parseInt(b.slice(table.length), 10));
  }

  /** Create the next instance of a table with its initial values. @returns its path */
  create(table: string): string {
    const instance = (this.#lastInstances.get(table) ?? 0) + 1;
    this.#lastInstances.set(table, instance);
    const path = `${table}${instance}.`;
    this.#createOne(path);
    this.#createSingles(path);
    return path;
  }

  remove(objectPath: string): void {
    for (const path of this.objectsBelow(objectPath)) this.#objects.delete(path);
    for (const path of this.#values.keys()) if (path.startsWith(objectPath)) this.#values.delete(path);
  }

  /** Write a value without checking its access; booleans are normalized to true and false. */
  write(path: string, value: string): void {
    if (!this.#values.has(path)) throw new Error(`${path} is not instantiated`);
    const { type } = this.parameterOf(path);
    this.#values.set(path, type === 'boolean' ? String(value === 'true' || value === '1') : value);
  }

  /** @throws UspFault 7010 when the parameter is not supported */
  parameterOf(path: string): ParameterDefinition {
    const dot = path.lastIndexOf('.') + 1;
    const found = this.definitionOf(path.slice(0, dot))?.parameters[path.slice(dot)];
    if (found === undefined) throw new UspFault(Code.unsupportedParameter, `${path} is not supported`);
    return found;
  }

  /** Set a parameter like a controller. @throws UspFault 7010 to 7013 */
  assign(path: string, value: string, isNew: boolean): void {
    const { access, type, accepts } = this.parameterOf(path);
    if (access === 'readOnly' || (access === 'writeOnce' && !isNew)) throw new UspFault(Code.notWritable, `${path} is read-only`);
    if (!isOfType(type, value)) throw new UspFault(Code.invalidType, `${path} is of type ${type}`);
    if (accepts?.(value) === false) throw new UspFault(Code.invalidValue, `${path} does not take this value`);
    this.write(path, value);
  }

  /** Values of an object's parameters by their name. */
  parametersOf(objectPath: string): Map<string, string> {
    const names = Object.keys(this.definitionOf(objectPath)?.parameters ?? {});
    return new Map(names.map((name) => [name, this.reading(objectPath + name)]));
  }

  /** Values of the unique keys of an instance. */
  uniqueKeysOf(objectPath: string): Record<string, string> {
    const names = new Set((this.definitionOf(objectPath)?.uniqueKeys ?? []).flat());
    return Object.fromEntries(Array.from(names, (name) => [name, this.value(objectPath + name) ?? '']));
  }

  state(): ModelState {
    return { values: [...this.#values], objects: [...this.#objects], lastInstances: [...this.#lastInstances] };
  }

  restore({ values, objects, lastInstances }: ModelState): void {
    this.#values = new Map(values);
    this.#objects = new Set(objects);
    this.#lastInstances = new Map(lastInstances);
  }

  #createOne(path: string): void {
    this.#objects.add(path);
    for (const [name, { initial }] of Object.entries(this.definitionOf(path)?.parameters ?? {}))
      this.#values.set(path + name, initial);
  }

  /** Single objects below a path exist from the beginning. */
  #createSingles(parent: string): void {
    const template = templateOf(parent);
    for (const path of this.supported.keys()) {
      const below = path.slice(template.length);
      if (path !== template && path.startsWith(template) && !below.includes('{i}')) this.#createOne(parent + below);
    }
  }
}

/** A path with its instance numbers as `{i}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/\.\d+(?=\.)/gu, '.{i}');
}
