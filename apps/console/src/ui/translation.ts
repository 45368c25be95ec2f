/**
 * A catalogue with exactly the keys of the English one, so that a missing translation does not compile. Chinese has no
 * plural: keys that end in `_one` are English alone.
 */
export type Translation<Catalogue> = {
  readonly [Key in keyof Catalogue as Key extends `${string}_one` ? never : Key]: Catalogue[Key] extends string
    ? string
    : Translation<Catalogue[Key]>;
};
