import { PbfWriter } from 'pbf';
import { rounded, tenth } from './day-trail.service.ts';
import type { FeedVehicle } from './feed.queries.ts';

/** Numbers of the fields that are written, by message (GTFS Realtime Reference 2.0). */
const MESSAGE = { header: 1, entity: 2 };
const HEADER = { version: 1, incrementality: 2, timestamp: 3 };
const ENTITY = { id: 1, vehicle: 4 };
const VEHICLE = { trip: 1, position: 2, timestamp: 5, descriptor: 8 };
const POSITION = { latitude: 1, longitude: 2, bearing: 3, speed: 5 };
const DESCRIPTOR = { id: 1, label: 2 };
const TRIP = { route: 5 };
const FULL_DATASET = 0;
const METRES_PER_SECOND = 1 / 3.6;

/** The vehicles as entities of a FeedMessage, without its header; the same vehicles are the same bytes. */
export function encodeEntities(vehicles: readonly FeedVehicle[], withRoutes: boolean): Uint8Array {
  const pbf = new PbfWriter();
  for (const vehicle of vehicles) pbf.writeMessage(MESSAGE.entity, withRoutes ? writeRoutedEntity : writeEntity, vehicle);
  return pbf.finish();
}

/** The header of a FeedMessage, which its entities follow. @param now epoch seconds */
export function encodeHeader(now: number): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeMessage(MESSAGE.header, writeHeader, now);
  return pbf.finish();
}

function writeHeader(now: number, pbf: PbfWriter): void {
  pbf.writeStringField(HEADER.version, '2.0');
  pbf.writeVarintField(HEADER.incrementality, FULL_DATASET);
  pbf.writeVarintField(HEADER.timestamp, now);
}

function writeEntity(vehicle: FeedVehicle, pbf: PbfWriter): void {
  pbf.writeStringField(ENTITY.id, vehicle.device);
  pbf.writeMessage(ENTITY.vehicle, writeVehicle, vehicle);
}

function writeRoutedEntity(vehicle: FeedVehicle, pbf: PbfWriter): void {
  pbf.writeStringField(ENTITY.id, vehicle.device);
  pbf.writeMessage(ENTITY.vehicle, writeRoutedVehicle, vehicle);
}

function writeRoutedVehicle(vehicle: FeedVehicle, pbf: PbfWriter): void {
  pbf.writeMessage(VEHICLE.trip, writeTrip, vehicle);
  writeVehicle(vehicle, pbf);
}

function writeTrip({ group_name: route }: FeedVehicle, pbf: PbfWriter): void {
  pbf.writeStringField(TRIP.route, route);
}

function writeVehicle(vehicle: FeedVehicle, pbf: PbfWriter): void {
  pbf.writeMessage(VEHICLE.position, writePosition, vehicle);
  pbf.writeVarintField(VEHICLE.timestamp, vehicle.at);
  pbf.writeMessage(VEHICLE.descriptor, writeDescriptor, vehicle);
}

function writePosition({ latitude, longitude, heading, speed }: FeedVehicle, pbf: PbfWriter): void {
  pbf.writeFloatField(POSITION.latitude, latitude);
  pbf.writeFloatField(POSITION.longitude, longitude);
  if (heading !== null) pbf.writeFloatField(POSITION.bearing, heading);
  if (speed !== null) pbf.writeFloatField(POSITION.speed, speed * METRES_PER_SECOND);
}

function writeDescriptor({ device, vehicle_number: label }: FeedVehicle, pbf: PbfWriter): void {
  pbf.writeStringField(DESCRIPTOR.id, device);
  // Passengers see it: a serial number is no label.
  if (label !== '') pbf.writeStringField(DESCRIPTOR.label, label);
}

/** The features of a collection (RFC 7946). */
export function featuresOf(vehicles: readonly FeedVehicle[]): string {
  return JSON.stringify(
    vehicles.map(({ device, vehicle_number: vehicle, group_name: group, latitude, longitude, at, speed, heading }) => ({
      type: 'Feature',
      id: device,
      geometry: { type: 'Point', coordinates: [rounded(longitude), rounded(latitude)] },
      properties: { vehicle, group, at: new Date(at * 1_000).toISOString(), speedKmh: tenth(speed), heading },
    })),
  );
}
