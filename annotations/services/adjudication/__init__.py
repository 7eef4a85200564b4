"""Start adjudications, decide, take decisions back and do them again."""

from annotations.services.adjudication.deciding import Answer, Done, accept_proposals, decide
from annotations.services.adjudication.starting import start
from annotations.services.adjudication.undoing import do_again, take_back

__all__ = ["Answer", "Done", "accept_proposals", "decide", "do_again", "start", "take_back"]
