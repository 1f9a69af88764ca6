import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { hasKey } from '../serving/requests.ts';
import {
  listen,
  type Answer,
  type Handler,
  type Routes,
  type ServiceRequest,
} from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import {
  cancelAppointment,
  createAppointment,
  searchAppointments,
  updateAppointment,
} from './appointments.ts';
import { fail, reads, type Call } from './call.ts';
import {
  createPatient,
  deletePatient,
  historyOfPatient,
  patchPatient,
  searchPatients,
  updatePatient,
  vreadPatient,
} from './patients.ts';
import { deletePractitioner, putPractitioner, searchPractitioners } from './practitioners.ts';
import {
  createObservation,
  createRequest,
  searchObservations,
  searchRequests,
  updateRequest,
} from './records.ts';
import { openClinic, workElsewhere } from './seeds.ts';
import { createSlot, deleteSlot, searchSlots } from './slots.ts';
import { tokens, type Practice, type Service } from './store.ts';

/** Starts the clinic on loopback. */
export function startClinic(how: Start = {}): Promise<ServerUnderTest> {
  const service = openClinic(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** The practice that the token is for. */
function practiceOf({ headers, path }: ServiceRequest, service: Service): Practice {
  if (hasKey(headers, tokens.hafen)) return service.hafen;
  const isOpen = service.has('history-without-token') && path.endsWith('/_history');
  if (hasKey(headers, tokens.linden) || isOpen) return service.linden;
  return fail(service, 'token', 'The token is missing or not known.');
}

function routesOf(service: Service): Routes {
  const on =
    (operation: (call: Call) => Answer): Handler =>
    (incoming) => {
      service.requests += 1;
      if (service.varies('others-work-too') && service.requests % 7 === 0) workElsewhere(service);
      return operation({ incoming, service, practice: practiceOf(incoming, service) });
    };
  return {
    '/fhir/Patient': { GET: on(searchPatients), POST: on(createPatient) },
    '/fhir/Patient/{id}': {
      GET: on(reads('Patient')),
      PUT: on(updatePatient),
      PATCH: on(patchPatient),
      DELETE: on(deletePatient),
    },
    '/fhir/Patient/{id}/_history': { GET: on(historyOfPatient) },
    '/fhir/Patient/{id}/_history/{vid}': { GET: on(vreadPatient) },
    '/fhir/Practitioner': { GET: on(searchPractitioners) },
    '/fhir/Practitioner/{id}': {
      GET: on(reads('Practitioner')),
      PUT: on(putPractitioner),
      DELETE: on(deletePractitioner),
    },
    '/fhir/Slot': { GET: on(searchSlots), POST: on(createSlot) },
    '/fhir/Slot/{id}': { GET: on(reads('Slot')), DELETE: on(deleteSlot) },
    '/fhir/Appointment': { GET: on(searchAppointments), POST: on(createAppointment) },
    '/fhir/Appointment/{id}': { GET: on(reads('Appointment')), PUT: on(updateAppointment) },
    '/fhir/Appointment/{id}/$cancel': { POST: on(cancelAppointment) },
    '/fhir/Observation': { GET: on(searchObservations), POST: on(createObservation) },
    '/fhir/Observation/{id}': { GET: on(reads('Observation')) },
    '/fhir/MedicationRequest': { GET: on(searchRequests), POST: on(createRequest) },
    '/fhir/MedicationRequest/{id}': {
      GET: on(reads('MedicationRequest')),
      PUT: on(updateRequest),
    },
  };
}
