/** An HTTP server that passes its requests to a connector, as the HTTP door does. */
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Connector } from '../../connectors/connector.ts';

export const webhookServer = (connector: () => Connector): Server =>
  createServer(async (request, response) => {
    const { isPlausible, receive } = connector().webhook!;
    const rawBody = await buffer(request);
    if (isPlausible(request.headers)) receive(Object.assign(request, { rawBody }), response);
    else response.writeHead(401).end();
  });
