import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import {
  listen,
  problem,
  Refused,
  type Answer,
  type ServiceRequest,
  type Handler,
  type Routes,
} from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import * as bookings from './bookings.ts';
import { findFreeRooms, getCalendar } from './calendar.ts';
import { bookElsewhere, openOffice, type Service } from './office.ts';
import { admit, type Admitted } from './request.ts';
import * as rooms from './rooms.ts';
import * as sites from './sites.ts';

/** Starts the service for rooms on loopback. */
export function startRooms(how: Start = {}): Promise<ServerUnderTest> {
  const service = openOffice(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && service.varies(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

type Operation = (admitted: Admitted) => Answer | Promise<Answer>;

function routesOf(service: Service): Routes {
  const on =
    (operation: Operation): Handler =>
    async (incoming) => {
      service.requests += 1;
      if (service.varies('bookings-of-others-appear')) bookElsewhere(service);
      const answer = isLimited(service)
        ? problem(429, 'Too many requests.', { headers: { 'Retry-After': '1' } })
        : await answerTo(() => operation(admit(incoming, service)));
      return decorate(answer, incoming, service);
    };
  const bookingOptions = (): Answer => ({
    status: 204,
    headers: service.has('options-without-allow') ? {} : { Allow: 'GET, HEAD, POST, OPTIONS' },
  });
  return {
    '/sites': { GET: on(sites.listSites) },
    '/sites/{siteName}': {
      GET: on(sites.getSite),
      HEAD: on(sites.getSite),
      PUT: on(sites.putSite),
      DELETE: on(sites.deleteSite),
    },
    '/sites/{siteName}/rooms': { GET: on(rooms.listRooms), POST: on(rooms.createRoom) },
    '/rooms/search': { GET: on(rooms.searchRooms) },
    '/rooms/{roomId}': {
      GET: on(rooms.getRoom),
      PATCH: on(rooms.patchRoom),
      DELETE: on(rooms.deleteRoom),
    },
    '/rooms/{roomId}/image': { GET: on(rooms.downloadImage), PUT: on(rooms.uploadImage) },
    '/rooms/{roomId}/calendar': { GET: on(getCalendar) },
    '/availability': { GET: on(findFreeRooms) },
    '/bookings': {
      GET: on(bookings.listBookings),
      POST: on(bookings.createBooking),
      OPTIONS: bookingOptions,
    },
    '/bookings/{bookingId}': {
      GET: on(bookings.getBooking),
      PATCH: on(bookings.changeBooking),
      DELETE: on(bookings.cancelBooking),
    },
    '/bookings/{bookingId}/occurrences': { GET: on(bookings.listOccurrences) },
    '/bookings/{bookingId}/attendees': {
      GET: on(bookings.listAttendees),
      POST: on(bookings.addAttendee),
    },
    '/webhooks': { GET: on(bookings.listWebhooks), POST: on(bookings.registerWebhook) },
    '/webhooks/{webhookId}': { GET: on(bookings.getWebhook), DELETE: on(bookings.deleteWebhook) },
  };
}

/** Whether the third request, or one of each forty after it, is refused in that variant. */
function isLimited({ requests, varies }: Service): boolean {
  return varies('limited-at-times') && requests % 40 === 3;
}

/** The answer of an operation, or that with which it refuses the request. */
async function answerTo(operate: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await operate();
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

function decorate(answer: Answer, incoming: ServiceRequest, { varies }: Service): Answer {
  if (answer.status >= 400 && varies('more-in-problems'))
    return {
      ...answer,
      json: {
        ...(answer.json as object),
        type: `https://problems.deskbird-rooms.example/${String(answer.status)}`,
        instance: incoming.path,
      },
    };
  if (!varies('content-languages')) return answer;
  const more = { 'Content-Language': 'en', 'Cache-Control': 'private, max-age=0' };
  return { ...answer, headers: { ...answer.headers, ...more } };
}
