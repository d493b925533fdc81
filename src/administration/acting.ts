/** Who acts, in which request. */
export interface Acting {
  name: string;
  request_id: string;
}
