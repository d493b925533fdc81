import type { Administration } from '../../administration/administration.ts';
import type { HttpServer } from '../context.ts';

/** What the routes of the administration need. */
export interface AdminDoor {
  server: HttpServer;
  admin: Administration;
}
