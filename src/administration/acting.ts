/** The acting administrator and the request. */
export interface Acting {
  name: string;
  request_id: string;
}
