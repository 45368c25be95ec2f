export { placesModule } from './module.ts';
export { placeText } from './place-text.ts';
export { describePlaces, withPlaceTexts, type PlacesDeps } from './places.service.ts';
export { openTileFile } from './tile-file.ts';
export { createStreetFinder, type FindStreet } from './streets.ts';
