import type { ListedName } from "./session-ids.ts";

/** Names among TRACKING_PARAMS that also mark a visit in the fragment: utm_* (allowAnchor) and xtor. */
export const TRACKING_FRAGMENTS: readonly string[] = ["utm_*", "xtor"];

/**
 * Lists query parameters that only ever mark a click or a campaign, whichever site they stand on. A
 * name that sites also use for content (`ref`, `source`, `mc`, `sid`) stays out. Names are compared
 * without ASCII case.
 */
export const TRACKING_PARAMS: readonly ListedName[] = [
  { name: "utm_*", evidence: "Google Analytics, custom campaigns (Urchin Tracking Module)" },
  { name: "gclid", evidence: "Google Ads, auto-tagging: click id" },
  { name: "gclsrc", evidence: "Google Marketing Platform: where the gclid comes from" },
  { name: "gbraid", evidence: "Google Ads: iOS app campaign click id" },
  { name: "wbraid", evidence: "Google Ads: iOS web campaign click id" },
  { name: "gad_source", evidence: "Google Ads: source of an ad click" },
  { name: "gad_campaignid", evidence: "Google Ads: campaign of an ad click" },
  { name: "dclid", evidence: "Google Display & Video 360: click id" },
  { name: "srsltid", evidence: "Google Merchant Center, auto-tagging of results" },
  { name: "fbclid", evidence: "Meta: click id added to outgoing links" },
  { name: "fb_action_ids", evidence: "Meta Open Graph: ids of the action of a shared link" },
  { name: "fb_action_types", evidence: "Meta Open Graph: kinds of these actions" },
  { name: "fb_source", evidence: "Meta: where in Facebook a link was clicked" },
  { name: "igshid", evidence: "Instagram: share id" },
  { name: "msclkid", evidence: "Microsoft Advertising, auto-tagging: click id" },
  { name: "yclid", evidence: "Yandex Direct: click id" },
  { name: "ysclid", evidence: "Yandex search: click id" },
  { name: "_openstat", evidence: "Openstat: campaign mark" },
  { name: "twclid", evidence: "X (Twitter) Ads: click id" },
  { name: "ttclid", evidence: "TikTok Ads: click id" },
  { name: "li_fat_id", evidence: "LinkedIn Ads: first-party ad tracking id" },
  { name: "epik", evidence: "Pinterest tag: click id" },
  { name: "rdt_cid", evidence: "Reddit Ads: click id" },
  { name: "sccid", evidence: "Snapchat Ads: click id" },
  { name: "irclickid", evidence: "impact.com: click id" },
  { name: "mc_cid", evidence: "Mailchimp: campaign id" },
  { name: "mc_eid", evidence: "Mailchimp: recipient id" },
  { name: "mkt_tok", evidence: "Adobe Marketo: recipient token" },
  { name: "_hsenc", evidence: "HubSpot: encrypted recipient" },
  { name: "_hsmi", evidence: "HubSpot: mail id" },
  { name: "__hssc", evidence: "HubSpot: cross-domain session" },
  { name: "__hstc", evidence: "HubSpot: cross-domain visitor" },
  { name: "__hsfp", evidence: "HubSpot: cross-domain fingerprint" },
  { name: "hsctatracking", evidence: "HubSpot: call-to-action click" },
  { name: "vero_id", evidence: "Vero: recipient id" },
  { name: "_kx", evidence: "Klaviyo: recipient id" },
  { name: "oly_enc_id", evidence: "Omeda Olytics: encrypted recipient" },
  { name: "oly_anon_id", evidence: "Omeda Olytics: anonymous visitor" },
  { name: "_ga", evidence: "Google Analytics, cross-domain linker" },
  { name: "_gl", evidence: "Google tag, cross-domain linker" },
  { name: "wt_mc", evidence: "Webtrekk (Mapp): media code" },
  { name: "pk_campaign", evidence: "Matomo (Piwik): campaign" },
  { name: "pk_kwd", evidence: "Matomo (Piwik): campaign keyword" },
  { name: "mtm_*", evidence: "Matomo: campaign parameters" },
  { name: "piwik_campaign", evidence: "Matomo (Piwik): campaign" },
  { name: "matomo_campaign", evidence: "Matomo: campaign" },
  { name: "xtor", evidence: "AT Internet (Piano Analytics): source of a visit" },
  { name: "sms_ss", evidence: "AddThis: the service a link was shared by" },
  { name: "awesm", evidence: "awe.sm: id of a shared link" },
];
