import { dateTime, email, fields, oneOf, pick, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { membersOf } from './fields-and-segments.ts';
import { addCampaign, now, type Campaign, type Member, type Service } from './store.ts';

type Call = api.Call;

const types = ['regular', 'plaintext'];

const [line, short] = [text(0, 150), text(0, 100)];
const empty = { subject_line: '', preview_text: '', title: '', from_name: '', reply_to: '' };
const texts = { subject_line: line, preview_text: line, title: short, from_name: short };
const settings = { ...texts, reply_to: email };

const saved_segment_id = whole(-Infinity, Infinity);
const segment_opts = fields({ saved_segment_id }, ['saved_segment_id']);
const recipients = fields({ list_id: text(0, Infinity), segment_opts }, ['list_id']);
const parts = { recipients, settings: fields(settings, []) };

const newCampaign = fields({ ...parts, type: oneOf(types) }, ['type', 'recipients']);
const changedCampaign = fields(parts, []);

/** The subscribed members of the list, or of the segment. */
function audienceOf({ list, segment }: Campaign, service: Service): Member[] {
  if (!list.isActive) return [];
  const all = segment === undefined ? undefined : membersOf(list, segment, service);
  return (all ?? [...list.members.values()]).filter(({ status }) => status === 'subscribed');
}

function show(campaign: Campaign, call: Call): Json {
  const { service } = call;
  const { has } = service;
  const { list, segment, status, emails_sent } = campaign;
  const isOfList = has('recipients-without-segment');
  const counted = isOfList ? { ...campaign, segment: undefined } : campaign;
  const isSent = status === 'sent' && !isOfList;
  const path = `/3.0/campaigns/${campaign.id}`;
  const action = (name: string): Json => api.link(call, name, 'POST', `${path}/actions/${name}`);
  return {
    ...{ id: campaign.id, web_id: campaign.web_id, type: campaign.type, status, emails_sent },
    create_time: api.writeTime(campaign.created, call),
    send_time: api.writeTimeOrNull(campaign.sendTime, call),
    recipients: {
      list_id: list.id,
      list_name: has('list-name-stays') ? campaign.listName : list.fields['name'],
      list_is_active: list.isActive,
      segment_opts: segment === undefined ? null : { saved_segment_id: segment.id },
      recipient_count: isSent ? emails_sent : audienceOf(counted, service).length,
    },
    settings: campaign.settings,
    ...(service.varies('more-properties') ? { archive_url: 'https://postb.example/x' } : {}),
    _links: [
      api.link(call, 'self', 'GET', path),
      ...(status === 'save' ? ['send', 'schedule'] : []).map(action),
      ...(status === 'schedule' ? ['unschedule'] : []).map(action),
      action('replicate'),
    ],
  };
}

const showOne = (campaign: Campaign, call: Call): Answer => api.answer(call, show(campaign, call));

export function getCampaigns(call: Call): Answer {
  const query = new api.Query(call);
  const status = query.oneOf('status', ['save', 'schedule', 'sent']);
  const type = query.oneOf('type', types);
  const list = query.text('list_id');
  const [created, sent] = [query.within('create_time'), query.within('send_time')];
  const records = [...call.service.campaigns.values()].filter(
    (one) =>
      one.account === call.account &&
      (status === undefined || one.status === status) &&
      (type === undefined || one.type === type) &&
      (list === undefined || one.list.id === list) &&
      created(one.created) &&
      sent(one.sendTime),
  );
  const orders = {
    create_time: (one: Campaign) => one.created,
    send_time: (one: Campaign) => one.sendTime,
  };
  return api.pageOf(call, { name: 'campaigns', records, show: (one) => show(one, call), orders });
}

/** The list and the segment that the recipients name. */
function readRecipients(given: unknown, call: Call): Pick<Campaign, 'list' | 'segment'> {
  const { has, lists } = call.service;
  const { list_id, segment_opts: wanted } = given as {
    readonly list_id: string;
    readonly segment_opts?: { readonly saved_segment_id: number };
  };
  const list = lists.get(list_id);
  const isOwn = list?.account === call.account || has('campaign-to-list-of-other');
  if (list === undefined || !isOwn) return api.invalid('recipients.list_id', 'No such list.');
  if (wanted === undefined) return { list, segment: undefined };
  const places = has('segment-of-other-list') ? [...lists.values()] : [list];
  const number = Number(wanted.saved_segment_id);
  const segment = places.map((one) => one.segments.get(number)).find((one) => one !== undefined);
  if (segment === undefined)
    api.invalid('recipients.segment_opts.saved_segment_id', 'The list has no such segment.');
  return { list, segment };
}

export function postCampaigns(call: Call): Answer {
  const body = api.readBody(call, newCampaign);
  const { list, segment } = readRecipients(body['recipients'], call);
  const { subject, from_name, from_email } = list.fields.campaign_defaults;
  const defaults = { subject_line: subject, from_name, reply_to: from_email };
  const given = pick(body['settings'] ?? {}, Object.keys(settings));
  const campaign = addCampaign(call.service, {
    ...{ account: call.account, type: String(body['type']), list, segment },
    settings: { ...empty, ...defaults, ...given },
  });
  return showOne(campaign, call);
}

export const getCampaign = (call: Call): Answer => showOne(api.findCampaign(call), call);

export function patchCampaign(call: Call): Answer {
  const { has } = call.service;
  const campaign = api.findCampaign(call);
  const body = api.readBody(call, changedCampaign);
  const isOpen =
    campaign.status === 'save' || (campaign.status === 'schedule' && has('scheduled-changed'));
  if (!isOpen) api.fail(400, 'The campaign cannot be changed in its status.');
  if (body['recipients'] !== undefined)
    Object.assign(campaign, readRecipients(body['recipients'], call));
  const given = pick(body['settings'] ?? {}, Object.keys(settings));
  const isEmptied = body['settings'] !== undefined && has('settings-replaced');
  campaign.settings = { ...(isEmptied ? empty : campaign.settings), ...given };
  return showOne(campaign, call);
}

export function deleteCampaign(call: Call): Answer {
  const campaign = api.findCampaign(call);
  if (campaign.status === 'schedule') api.fail(400, 'Unschedule the campaign first.');
  call.service.campaigns.delete(campaign.id);
  return { status: 204 };
}

/** Refuses with 400 a campaign that is not in the status `save`, or that nobody would get. */
function demandReady(campaign: Campaign, { service }: Call, isSpared = false): void {
  if (campaign.status !== 'save' && !isSpared)
    api.fail(400, 'The campaign must be in the status save.');
  if (audienceOf(campaign, service).length === 0) api.fail(400, 'The campaign has no recipients.');
}

export function scheduleCampaign(call: Call): Answer {
  const campaign = api.findCampaign(call);
  const body = api.readBody(call, fields({ schedule_time: dateTime }, ['schedule_time']));
  const time = Date.parse(String(body['schedule_time']));
  if (time <= Date.now()) api.invalid('schedule_time', 'The time must be in the future.');
  if (time % 900_000 !== 0 && !call.service.has('schedule-off-quarter'))
    api.invalid('schedule_time', 'The time must be on a quarter of an hour.');
  demandReady(campaign, call);
  Object.assign(campaign, { status: 'schedule', sendTime: time });
  return { status: 204 };
}

export function unscheduleCampaign(call: Call): Answer {
  const campaign = api.findCampaign(call);
  if (campaign.status !== 'schedule') api.fail(400, 'The campaign is not scheduled.');
  campaign.status = 'save';
  if (!call.service.has('unscheduled-send-time')) campaign.sendTime = null;
  return { status: 204 };
}

function deliver(campaign: Campaign, service: Service): void {
  const { list } = campaign;
  const everyone = [...list.members.values()].filter(({ status }) => status !== 'archived');
  const all = service.has('sent-to-all') ? everyone : audienceOf(campaign, service);
  Object.assign(campaign, { status: 'sent', emails_sent: all.length, sendTime: now() });
  Object.assign(list, { lastSent: campaign.sendTime, lastSentTick: service.tick() });
}

/** Sends the campaigns that are scheduled for now. */
export function sendDue(service: Service): void {
  for (const one of service.campaigns.values())
    if (one.status === 'schedule' && (one.sendTime ?? 0) <= Date.now()) deliver(one, service);
}

export function sendCampaign(call: Call): Answer {
  const { has } = call.service;
  const campaign = api.findCampaign(call, has('campaign-of-other-sent'));
  demandReady(campaign, call, campaign.status === 'sent' && has('send-twice'));
  deliver(campaign, call.service);
  return { status: 204 };
}

export function replicateCampaign(call: Call): Answer {
  const { service } = call;
  const campaign = api.findCampaign(call);
  const { account, type, list, segment, status, sendTime, emails_sent } = campaign;
  if (!list.isActive) api.fail(400, 'The list of the campaign is deleted.');
  const title = `${String(campaign.settings['title'])} (copy)`;
  const replica = addCampaign(service, {
    ...{ account, type, list, segment, settings: { ...campaign.settings, title } },
    ...(service.has('replica-is-sent') ? { status, sendTime, emails_sent } : {}),
  });
  return showOne(replica, call);
}
