import { devices, properties } from '@highline/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const panel = () => within(screen.getByRole('region', { name: 'Properties' }));
const dialog = () => within(screen.getByRole('dialog'));
const line = (name: string) => panel().getByText(name).closest('.property')?.textContent;
const question = async () => within(await screen.findByRole('alertdialog'));
const property = (name: string, type: properties.CustomProperty['type'], parts: Partial<properties.DeviceProperty> = {}) => ({
  key: name,
  name,
  type,
  unit: '',
  value: null,
  picture: null,
  version: '1',
  ...parts,
});

/** The overview of a device with these properties. */
async function startProperties(all: readonly properties.DeviceProperty[], role: 'admin' | 'user' = 'admin') {
  const tools = startConsole({ role });
  const { result } = example(devices.getDevice);
  const { device } = result;
  tools.respond(devices.getDevice, { result: { ...result, agent: null } });
  const set = (next: readonly properties.DeviceProperty[]) => tools.respond(properties.deviceProperties, { result: [...next] });
  set(all);
  await tools.open(`/devices/setting?device=${device}`);
  await panel().findByRole('heading');
  return {
    ...tools,
    set,
    device,
    edit: (name: string) => tools.user.click(panel().getByRole('button', { name: `Edit ${name}` })),
  };
}

test('OLD-02-partial adding a property is confirmed, because it is final', async () => {
  const { user, set, respond, fail, requests } = await startProperties([]);
  expect(panel().getByText(/^No properties yet\./u)).toBeTruthy();
  await user.click(panel().getByRole('button', { name: 'New property' }));
  const save = dialog().getByRole('button', { name: 'Save' });
  expect(save.getAttribute('aria-disabled')).toBe('true');
  const types = dialog().getByLabelText(/^Type/u);
  expect(
    within(types)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Yes or no', 'Number', 'Text', 'Picture']);
  await user.selectOptions(types, 'Text');
  expect(dialog().queryByLabelText(/^Unit/u)).toBeNull();
  await user.selectOptions(types, 'Number');
  await user.type(dialog().getByLabelText(/^Unit/u), 'km');
  await user.type(dialog().getByLabelText(/^Name/u), 'Mileage');
  await user.click(save);
  expect((await question()).getByText(/Add the property Mileage \(Number\) to all devices\?/u)).toBeTruthy();
  expect((await screen.findByRole('alertdialog')).textContent).toContain('A property cannot be changed or removed later.');
  await user.click((await question()).getByRole('button', { name: 'No' }));
  expect(requests(properties.addProperty)).toEqual([]);
  fail(properties.addProperty, 'property.name_taken', { field: 'name' });
  await user.click(save);
  await user.click((await question()).getByRole('button', { name: 'Yes' }));
  expect(await dialog().findByText('A property with this name already exists.')).toBeTruthy();
  respond(properties.addProperty, { result: property('Mileage', 'number', { unit: 'km' }) });
  set([property('Mileage', 'number', { unit: 'km' })]);
  await user.click(save);
  await user.click((await question()).getByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(line('Mileage')).toContain('Not set'));
  expect(requests(properties.addProperty).at(-1)?.body).toEqual({ name: 'Mileage', type: 'number', unit: 'km' });
});

test("OLD-02-partial a number is checked, a text is text, and another admin's value is shown before it is overwritten", async () => {
  const { user, edit, respond, fail, set, requests, device } = await startProperties([
    property('Mileage', 'number', { unit: 'km' }),
    property('Colour', 'string'),
  ]);
  respond(properties.setProperty, ({ params, body }) => ({
    result: property(params.property, params.property === 'Colour' ? 'string' : 'number', {
      unit: 'km',
      value: body.value,
      version: '2',
    }),
  }));
  await edit('Mileage');
  await user.type(dialog().getByLabelText(/^Mileage \(km\)/u), '12 000');
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  expect(dialog().getByText('Invalid Mileage format')).toBeTruthy();
  await user.clear(dialog().getByLabelText(/^Mileage \(km\)/u));
  await user.type(dialog().getByLabelText(/^Mileage \(km\)/u), '12000.5');
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(line('Mileage')).toContain('12,000.5 km'));
  await edit('Colour');
  const field = dialog().getByLabelText<HTMLInputElement>(/^Colour/u);
  await user.type(field, 'Red & <b>white</b>');
  const theirs = property('Colour', 'string', { value: 'Blue', version: '7' });
  fail(properties.setProperty, 'conflict.stale', { detail: theirs });
  set([theirs]);
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/Someone else changed Colour\. It is now: Blue\./u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'OK' }));
  expect(field.value).toBe('Red & <b>white</b>');
  respond(properties.setProperty, ({ body }) => ({ result: property('Colour', 'string', { value: body.value }) }));
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(line('Colour')).toContain('Red & <b>white</b>'));
  expect(requests(properties.setProperty).map(({ params, body, ifMatch }) => [params, body.value, ifMatch])).toEqual([
    [{ property: 'Mileage', device }, 12_000.5, '"1"'],
    [{ property: 'Colour', device }, 'Red & <b>white</b>', '"1"'],
    [{ property: 'Colour', device }, 'Red & <b>white</b>', '"7"'],
  ]);
});

test('OLD-02-partial yes, no and not set are chosen in place, and stored once they are saved', async () => {
  const { user, respond, requests } = await startProperties([property('Low floor', 'bool')]);
  respond(properties.setProperty, ({ body }) => ({ result: property('Low floor', 'bool', { value: body.value }) }));
  const floor = panel().getByRole<HTMLSelectElement>('combobox', { name: 'Low floor' });
  for (const [choice, value] of [
    ['No', 'no'],
    ['Not set', 'unset'],
    ['Yes', 'yes'],
  ] as const) {
    // As the arrow keys do.
    for (const passed of ['No', 'Not set', 'Yes', choice]) await user.selectOptions(floor, passed);
    expect(document.activeElement).toBe(floor);
    await user.click(panel().getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(panel().queryByRole('button', { name: 'Save' })).toBeNull());
    expect(floor.value).toBe(value);
  }
  expect(requests(properties.setProperty).map(({ body }) => body.value)).toEqual([false, null, true]);
});

test('OLD-02-partial a picture is checked by name and size here, and by its bytes there; it is removed after a question', async () => {
  const { user, edit, respond, fail, requests } = await startProperties([property('Photo', 'picture')]);
  const picture = { type: 'image/png' as const, size: 3, sha256: 'a'.repeat(64) };
  await edit('Photo');
  const pick = async (name: string, size: number) => {
    const input = document.querySelector<HTMLInputElement>('dialog input[type=file]')!;
    input.removeAttribute('accept');
    await user.upload(input, new File([new Uint8Array(size)], name));
  };
  await pick('photo.pdf', 3);
  const says = (text: string) => dialog().getAllByText(text).length > 0;
  expect(says('Only PNG, JPEG and WebP pictures are supported.')).toBe(true);
  await pick('photo.png', properties.MAX_PICTURE_BYTES + 1);
  expect(says('A picture can be at most 2 MB.')).toBe(true);
  await pick('photo.png', 3);
  fail(properties.uploadPicture, 'property.picture_type');
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(says('Only PNG, JPEG and WebP pictures are supported.')).toBe(true));
  respond(properties.uploadPicture, { result: property('Photo', 'picture', { picture }) });
  await pick('photo.png', 3);
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  expect((await panel().findByRole('img', { name: 'Picture of Photo' })).getAttribute('src')).toContain(picture.sha256);
  respond(properties.setProperty, { result: property('Photo', 'picture') });
  await edit('Photo');
  await user.click(dialog().getByRole('button', { name: 'Remove picture' }));
  await user.click((await question()).getByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(line('Photo')).toContain('Not set'));
  expect(requests(properties.setProperty)[0]?.body).toEqual({ value: null });
});

test('OLD-02-partial a user reads the values, and changes none', async () => {
  await startProperties([property('Low floor', 'bool', { value: true }), property('Colour', 'string', { value: 'Red' })], 'user');
  expect([line('Low floor'), line('Colour')]).toEqual(['Low floorYes', 'ColourRed']);
  expect(panel().queryByRole('button')).toBeNull();
  expect(panel().queryByRole('combobox')).toBeNull();
});
