"""The kinds of pages that can cover the screen."""

from gridgames_client.state.commands import Confirm, TextPage
from gridgames_client.state.dialogs import Choice, NewRoom
from gridgames_client.state.history.replay import PastGames, Replaying

Page = TextPage | Confirm | Choice | NewRoom | PastGames | Replaying
