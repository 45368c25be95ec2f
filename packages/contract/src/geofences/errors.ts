import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'geofence.not_found': failure(404, 'This geofence no longer exists.'),
  'geofence.name_taken': failure(409, 'A geofence with this name already exists.'),
  'geofence.name_twice': failure(400, 'Another feature of the file has the same name.'),
  'geofence.name': failure(
    400,
    'A name can have at most 80 characters and no invisible ones. If characters of it are damaged, save the file as UTF-8.',
  ),
  'geofence.too_many': failure(409, 'There can be at most 500 geofences with 20,000 corners in all. Delete one first.'),
  'geofence.not_geojson': failure(400, 'This is not GeoJSON (RFC 7946).'),
  'geofence.geometry': failure(400, 'Only Polygons, and Points with a radius, can be geofences. The file has none.'),
  'geofence.no_radius': failure(400, 'A Point needs the property radius, in meters.'),
  'geofence.outside': failure(
    400,
    'This is not a place on the earth. Latitudes are from −90 to 90, longitudes from −180 to 180.',
  ),
  'geofence.radius': failure(400, 'The radius must be from 10 m to 100 km.'),
  'geofence.corners': failure(400, 'A polygon needs at least three different corners.'),
  'geofence.too_many_corners': failure(400, 'A polygon can have at most 1,000 corners. Simplify it first.'),
  'geofence.open': failure(400, 'The last corner of a polygon must be its first one.'),
  'geofence.date_line': failure(400, 'The polygon crosses the date line. Divide it at 180° into two geofences.'),
  'geofence.crosses_itself': failure(400, 'The edges of the polygon cross each other. Change the order of its corners.'),
} as const;
