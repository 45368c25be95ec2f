/** What people call a device: the number of its vehicle or, without one, its serial number. */
export const vehicleName = ({
  vehicle_number: vehicle,
  serial_number: serial,
}: {
  readonly vehicle_number: string;
  readonly serial_number: string;
}): string => (vehicle === '' ? serial : vehicle);
